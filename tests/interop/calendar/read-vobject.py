# Reads a calendar from standard input with vobject, validates every component, prints what it understood as JSON.
import json
import sys

import vobject


def moment(value):
    return {'value': value.isoformat(), 'all_day': not hasattr(value, 'hour')}


calendar = vobject.readOne(sys.stdin.buffer.read().decode('utf-8'))
calendar.validate(raiseException=True)
events = []
for event in calendar.vevent_list:
    event.validate(raiseException=True)
    text = lambda name: getattr(event, name).value if hasattr(event, name) else None
    categories = event.categories.value if hasattr(event, 'categories') else []
    events.append({
        'uid': event.uid.value, 'summary': event.summary.value, 'description': text('description'), 'location': text('location'),
        'status': event.status.value, 'sequence': int(event.sequence.value), 'categories': list(categories),
        'url': text('url'), 'contact': text('contact'), 'start': moment(event.dtstart.value), 'end': moment(event.dtend.value),
    })
json.dump({'name': calendar.x_wr_calname.value, 'events': events}, sys.stdout)
