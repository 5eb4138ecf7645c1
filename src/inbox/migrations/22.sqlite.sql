-- The tables of better-auth as it made them itself. Secrets are encrypted when it is first loaded (desk/sign-in.ts).
create table "user" (
  id text not null primary key, name text not null, email text not null unique, emailVerified integer not null, image text,
  createdAt date not null, updatedAt date not null, username text unique, twoFactorEnabled integer
);
create table session (
  id text not null primary key, expiresAt date not null, token text not null unique, createdAt date not null, updatedAt date not null,
  ipAddress text, userAgent text, userId text not null references "user" (id) on delete cascade
);
create index session_userId_idx on session (userId);
create table account (
  id text not null primary key, accountId text not null, providerId text not null, userId text not null references "user" (id) on delete cascade,
  accessToken text, refreshToken text, idToken text, accessTokenExpiresAt date, refreshTokenExpiresAt date, scope text, password text,
  createdAt date not null, updatedAt date not null
);
create index account_userId_idx on account (userId);
create table verification (
  id text not null primary key, identifier text not null, value text not null, expiresAt date not null, createdAt date not null, updatedAt date not null
);
create index verification_identifier_idx on verification (identifier);
create table twoFactor (
  id text not null primary key, secret text not null, backupCodes text not null, userId text not null references "user" (id) on delete cascade,
  verified integer, failedVerificationCount integer, lockedUntil date
);
create index twoFactor_secret_idx on twoFactor (secret);
create index twoFactor_userId_idx on twoFactor (userId);
insert into "user" (id, name, email, emailVerified, createdAt, updatedAt, username, twoFactorEnabled)
  select lower(hex(randomblob(16))), name, name, 0, added_at, added_at, name,
    exists (select 1 from second_factors where editor = name and confirmed_at is not null) from editors;
insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt)
  select id, id, 'credential', id, hash, added_at, added_at from editors join "user" using (name);
insert into twoFactor (id, secret, backupCodes, userId, verified)
  select id, 'base32:' || secret, (select json_group_array(hash) from recovery_codes where editor = name), id, 1
  from second_factors join "user" on name = editor where confirmed_at is not null;
drop table sessions;
drop table devices;
drop table second_factors;
drop table recovery_codes;
drop table editors;
