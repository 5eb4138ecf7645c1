# Reads a calendar from standard input with icalendar, fails on any error it noted, prints what it understood as JSON.
import json
import sys

import icalendar


def moment(value):
    return {'value': value.isoformat(), 'all_day': not hasattr(value, 'hour')}


calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
if calendar.errors:
    sys.exit(f'calendar: {calendar.errors}')
events = []
for event in calendar.walk('VEVENT'):
    if event.errors:
        sys.exit(f"{event['uid']}: {event.errors}")
    text = lambda name: str(event[name]) if name in event else None
    categories = [str(one) for one in event['categories'].cats] if 'categories' in event else []
    events.append({
        'uid': str(event['uid']), 'summary': str(event['summary']), 'description': text('description'), 'location': text('location'),
        'status': str(event['status']), 'sequence': int(event['sequence']), 'categories': categories,
        'url': text('url'), 'contact': text('contact'), 'start': moment(event['dtstart'].dt), 'end': moment(event['dtend'].dt),
    })
json.dump({'name': str(calendar['x-wr-calname']), 'events': events}, sys.stdout)
