pragma user_version = 33;
pragma application_id = 27;
begin;
pragma defer_foreign_keys = on;
CREATE TABLE revisions (
     id text primary key, digest text not null, updated_at text not null, sequence integer not null,
     status text not null, status_since_ms integer not null
   ) without rowid;
CREATE TABLE slugs (kind text not null, slug text not null, id text not null, primary key (kind, slug)) without rowid;
CREATE TABLE api_keys (
     id text primary key, name text not null, hash text not null unique, created_at text not null,
     last_used_on text, revoked_at text
   ) without rowid;
INSERT INTO "api_keys" VALUES('key_6a96b993','una agenda','4560c52f95e8ed96f6bbb807b440a8f3e56e59e1f82b2d2bb49605610130ae9c','2026-11-20T12:00:00-05:00',NULL,NULL);
CREATE TABLE secrets (name text primary key, value blob not null) without rowid;
INSERT INTO "secrets" VALUES('erased',X'20e653fd4ad7e919bebe4a17b93c1e9b');
INSERT INTO "secrets" VALUES('submissions',X'bf8da643cd1c11571a2b7490879626429545de11a7065a35f24a0daea5b6e2fa');
CREATE TABLE decisions (
     id integer primary key autoincrement, at text not null, editor text not null, action text not null, subject text not null,
     reason text, undone_at text
   , undoes integer, outcomes text not null default '[]', weight text not null default 'none');
INSERT INTO "decisions" VALUES(1,'2026-11-20T12:00:00-05:00','ana','approve','HC-QD8NZ9',NULL,NULL,NULL,'[{"id":6,"before":{"state":"waiting","decided":null,"reason":null},"after":{"state":"applied","decided":1,"reason":null}}]','agenda');
INSERT INTO "decisions" VALUES(2,'2026-11-20T12:00:00-05:00','ana','reject','HC-W74Q7B','No es público.',NULL,NULL,'[{"id":9,"before":{"state":"waiting","decided":null,"reason":null},"after":{"state":"refused","decided":2,"reason":"No es público."}}]','agenda');
INSERT INTO "decisions" VALUES(3,'2026-11-20T12:00:00-05:00','ana','approve','HC-C5Y648',NULL,NULL,NULL,'[]','agenda');
INSERT INTO "decisions" VALUES(5,'2026-11-20T12:00:00-05:00','ana','approve','HC-M3X7KJ',NULL,NULL,NULL,'[]','agenda');
INSERT INTO "decisions" VALUES(6,'2026-11-20T12:00:00-05:00','ana','cancel','ev_exposicion-larga',NULL,NULL,NULL,'[{"id":11,"before":{"state":"undone","decided":null,"reason":null},"after":{"state":"applied","decided":6,"reason":null}}]','urgent');
CREATE TABLE histories (id text primary key, digest text not null, changed_at text not null, record text not null) without rowid;
CREATE TABLE submission_senders (
  sender text not null, network text not null, channel text not null, reference text not null, at_ms integer not null
, is_doubtful integer not null default 0);
CREATE TABLE "letters" (
  id integer primary key autoincrement, kind text not null, subject text not null, detail text not null,
  queued_ms integer not null, at_ms integer not null, attempts integer not null default 0, code integer
, state text not null default 'waiting');
CREATE TABLE mail_stops (reader text primary key) without rowid;
CREATE TABLE batches (
  id integer primary key autoincrement, token_hash text not null unique, reference text unique, sender text not null, name text not null,
  url text, lang text not null, at text not null, at_ms integer not null, draft text, choices text not null
, seed text);
CREATE TABLE "user" (
  id text not null primary key, name text not null, email text not null unique, emailVerified integer not null, image text,
  createdAt date not null, updatedAt date not null, username text unique, twoFactorEnabled integer
);
INSERT INTO "user" VALUES('ef56202f4609c76e6c6f083a9fd61059','ana','ana',0,NULL,'2026-11-20T12:00:00-05:00','2026-11-20T12:00:00-05:00','ana',0);
CREATE TABLE session (
  id text not null primary key, expiresAt date not null, token text not null unique, createdAt date not null, updatedAt date not null,
  ipAddress text, userAgent text, userId text not null references "user" (id) on delete cascade
);
CREATE TABLE account (
  id text not null primary key, accountId text not null, providerId text not null, userId text not null references "user" (id) on delete cascade,
  accessToken text, refreshToken text, idToken text, accessTokenExpiresAt date, refreshTokenExpiresAt date, scope text, password text,
  createdAt date not null, updatedAt date not null
);
INSERT INTO "account" VALUES('ef56202f4609c76e6c6f083a9fd61059','ef56202f4609c76e6c6f083a9fd61059','credential','ef56202f4609c76e6c6f083a9fd61059',NULL,NULL,NULL,NULL,NULL,NULL,'scrypt$Mr9uHc_XqevBLVQUFfQzQg$LzMV-hSxnhlr5BFbIN5hraPXxRWfAPvcq5tGlaSBeK0','2026-11-20T12:00:00-05:00','2026-11-20T12:00:00-05:00');
CREATE TABLE verification (
  id text not null primary key, identifier text not null, value text not null, expiresAt date not null, createdAt date not null, updatedAt date not null
);
CREATE TABLE twoFactor (
  id text not null primary key, secret text not null, backupCodes text not null, userId text not null references "user" (id) on delete cascade,
  verified integer, failedVerificationCount integer, lockedUntil date
);
CREATE TABLE changes (
  id integer primary key autoincrement, at text not null, maker text not null, door text not null, kind text not null, thing text,
  reference text, revision integer not null default 1, asks text not null, title text not null, dates text, message text,
  text text, draft text, record text, source text, state text not null default 'waiting', decided integer, reason text,
  is_doubtful integer not null default 0, is_forgotten integer not null default 0, told text, digest text,
  token_hash text unique, batch integer, uid text, uid_digest text
);
INSERT INTO "changes" VALUES(1,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-C5Y648',1,'publish','Noche por cancelar',NULL,NULL,'{"lang":"es","title":"Noche por cancelar","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,'{"event":{"former_slugs":[],"sources":[{"name":"HC-C5Y648","checked":"2026-11-20"}],"confidence":"medium","title":{"es":"Noche por cancelar","en":"Test night"},"summary":{"es":"Una noche inventada.","en":"A made-up night."},"description":{"es":"Una noche inventada para las pruebas, con música y comida.","en":"Una noche inventada para las pruebas, con música y comida."},"status":"published","category":"live-music","tags":[],"zone":"downtown","when":[{"dates":["2026-12-05","2026-12-12"],"start":"20:00","end":"01:00","days":1,"except":[]}],"changes":[],"price":{"min":150,"currency":"MXN"},"languages":["es"],"verified":false,"source":"organizer"},"venue":{"file":{"former_slugs":[],"sources":[{"name":"HC-C5Y648","checked":"2026-11-20"}],"confidence":"medium","name":"Patio Inventado","address":"Calle 1","locality":"Cancún","zone":"downtown","social":[]}},"organizer":{"file":{"former_slugs":[],"sources":[{"name":"HC-C5Y648","checked":"2026-11-20"}],"confidence":"medium","name":"Quien Prueba","type":"promotor","verified":false,"social":[]}}}',NULL,'applied',NULL,NULL,0,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(2,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-M3X7KJ',1,'publish','Noche de antes',NULL,NULL,'{"lang":"es","title":"Noche de antes","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,'{"event":{"former_slugs":[],"sources":[{"name":"HC-M3X7KJ","checked":"2026-11-20"}],"confidence":"medium","title":{"es":"Noche de antes","en":"Test night"},"summary":{"es":"Una noche inventada.","en":"A made-up night."},"description":{"es":"Una noche inventada para las pruebas, con música y comida.","en":"Una noche inventada para las pruebas, con música y comida."},"status":"published","category":"live-music","tags":[],"zone":"downtown","when":[{"dates":["2026-12-05","2026-12-12"],"start":"20:00","end":"01:00","days":1,"except":[]}],"changes":[],"price":{"min":150,"currency":"MXN"},"languages":["es"],"verified":false,"source":"organizer"},"venue":{"file":{"former_slugs":[],"sources":[{"name":"HC-M3X7KJ","checked":"2026-11-20"}],"confidence":"medium","name":"Patio Inventado","address":"Calle 1","locality":"Cancún","zone":"downtown","social":[]}},"organizer":{"file":{"former_slugs":[],"sources":[{"name":"HC-M3X7KJ","checked":"2026-11-20"}],"confidence":"medium","name":"Quien Prueba","type":"promotor","verified":false,"social":[]}}}',NULL,'applied',NULL,NULL,0,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(3,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-A5K2ME',1,'publish','Noche a medias',NULL,NULL,'{"lang":"es","title":"Noche a medias","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}','{"summary":"Una noche."}',NULL,NULL,'asked',NULL,'Falta la hora.',0,0,NULL,'CBAC91D8BE547014','9A814168C7B5C33C',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(4,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-C5Y648',2,'cancel','Noche por cancelar',NULL,'Se suspende.','{"lang":"es","title":"Noche por cancelar","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,NULL,NULL,'waiting',NULL,NULL,0,0,NULL,'77a70316993dff6be5d2d046235a94018cb6a0cca1f555d896f9d2c17d655c49','7c30436323628d918367e6fe180e263361b06fcf0cee2c5f8d7f8e9a14a4ef8d',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(5,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-M3X7KJ',2,'edit','Noche corregida',NULL,NULL,'{"lang":"es","title":"Noche corregida","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,NULL,NULL,'waiting',NULL,NULL,0,0,NULL,'7F2C04DAEC156A91','033CEEB042366D7A',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(6,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-QD8NZ9',1,'publish','Noche aprobada',NULL,NULL,'{"lang":"es","title":"Noche aprobada","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,'{"event":{"former_slugs":[],"sources":[{"name":"HC-QD8NZ9","checked":"2026-11-20"}],"confidence":"medium","title":{"es":"Noche aprobada","en":"Test night"},"summary":{"es":"Una noche inventada.","en":"A made-up night."},"description":{"es":"Una noche inventada para las pruebas, con música y comida.","en":"Una noche inventada para las pruebas, con música y comida."},"status":"published","category":"live-music","tags":[],"zone":"downtown","when":[{"dates":["2026-12-05","2026-12-12"],"start":"20:00","end":"01:00","days":1,"except":[]}],"changes":[],"price":{"min":150,"currency":"MXN"},"languages":["es"],"verified":false,"source":"organizer"},"venue":{"file":{"former_slugs":[],"sources":[{"name":"HC-QD8NZ9","checked":"2026-11-20"}],"confidence":"medium","name":"Patio Inventado","address":"Calle 1","locality":"Cancún","zone":"downtown","social":[]}},"organizer":{"file":{"former_slugs":[],"sources":[{"name":"HC-QD8NZ9","checked":"2026-11-20"}],"confidence":"medium","name":"Quien Prueba","type":"promotor","verified":false,"social":[]}}}',NULL,'applied',1,NULL,0,0,NULL,'22c9b0f312ddc0d31b30853d32c9b1246ad35d972de15338526e8176d5b1ac06','86811f565fe6cbc9fc9e1b6a433af03e09a3cb44e3eccb1171e942ae059314f5',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(7,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-R2CJEY',1,'publish','Noche que espera',NULL,NULL,'{"lang":"es","title":"Noche que espera","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,NULL,NULL,'waiting',NULL,NULL,0,0,NULL,'d82e7e6b7144eb6f44ff6bab2ca67ac0b693774f8eb783000b3dcc97129d0bd6','3e024208464ad5d67f9058c828270a63af73db9b24335d4c61e6027fba4c9c2c',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(8,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-T8R4WD',1,'publish','Noche retirada',NULL,NULL,'{"lang":"es","title":"Noche retirada","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,NULL,NULL,'taken_back',NULL,NULL,0,0,NULL,'C748F2AD8C279ED6','7F69738C5CA75571',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(9,'2026-11-20T12:00:00-05:00','sender','form','event',NULL,'HC-W74Q7B',1,'publish','Noche rechazada',NULL,NULL,'{"lang":"es","title":"Noche rechazada","description":"Una noche inventada para las pruebas, con música y comida.","category":"live-music","zone":"downtown","start":"2026-12-05T20:00","end":"2026-12-06T01:00","all_day":false,"dates":["2026-12-12"],"repeats":null,"venue":null,"venue_name":"Patio Inventado","venue_address":"Calle 1","price":{"is_free":false,"min":150,"max":null,"note":null},"ticket_url":null,"registration_url":null,"image":null,"age_restriction":null,"languages":["es"],"organizer":{"name":"Quien Prueba","url":null},"source_url":null,"contact_email":"privado@ejemplo.example"}',NULL,NULL,NULL,'refused',2,'No es público.',0,0,NULL,'74256b0096f6f52e699e72d6f245604c04bcd3f6ff994956da253e2da8e4e900','c2e479faff44007692b2a5348b77272191ed015d42776d45b45774e04fd58e11',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(10,'','editor','desk','event','ev_carnaval-inventado',NULL,1,'cancel','','["2027-02-06"]',NULL,NULL,NULL,'{"status":"cancelled"}',NULL,'applied',NULL,NULL,0,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "changes" VALUES(11,'2026-11-20T12:00:00-05:00','editor','desk','event','ev_exposicion-larga',NULL,1,'cancel','',NULL,NULL,NULL,NULL,'{"status":"cancelled"}',NULL,'applied',6,NULL,0,0,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE login_attempts (id integer primary key autoincrement, who text not null, at_ms integer not null);
CREATE TABLE sources (
  key text primary key, url text not null, batch integer, etag text, last_modified text, tried_ms bigint not null,
  read_ms bigint, next_ms bigint not null, failing_ms bigint, failures integer not null, problem text, brought text not null,
  missing text not null, told_ms bigint, bytes bytea, bytes_before bytea
);
CREATE TABLE readers (
  token_hash text primary key, email text not null, lang text not null, query text not null, asked_ms bigint not null,
  confirmed_ms bigint, last_week text, failures integer not null default 0
);
INSERT INTO sqlite_sequence VALUES('letters', 7);
CREATE INDEX submission_senders_at on submission_senders (at_ms);
CREATE INDEX submission_senders_sender on submission_senders (sender, at_ms);
CREATE INDEX submission_senders_network on submission_senders (network, at_ms);
CREATE INDEX submission_senders_reference on submission_senders (reference);
CREATE INDEX decisions_subject on decisions (subject);
CREATE INDEX decisions_undoes on decisions (undoes) where undoes is not null;
CREATE INDEX session_userId_idx on session (userId);
CREATE INDEX account_userId_idx on account (userId);
CREATE INDEX verification_identifier_idx on verification (identifier);
CREATE INDEX twoFactor_secret_idx on twoFactor (secret);
CREATE INDEX twoFactor_userId_idx on twoFactor (userId);
CREATE INDEX changes_waiting on changes (state, at);
CREATE INDEX changes_reference on changes (reference);
CREATE INDEX changes_thing on changes (thing);
CREATE INDEX changes_digest on changes (digest);
CREATE INDEX changes_batch on changes (batch);
CREATE INDEX changes_uid on changes (uid);
CREATE INDEX letters_at on letters (state, at_ms);
CREATE UNIQUE INDEX letters_run on letters (kind) where state = 'run';
CREATE INDEX login_attempts_at on login_attempts (at_ms);
commit;
