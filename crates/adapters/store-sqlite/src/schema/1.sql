-- The last version that was given out, in one row.
CREATE TABLE counter (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO counter VALUES (1, 0);

CREATE TABLE documents (
  birth INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  expires_at INTEGER,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX documents_by_expiry ON documents (expires_at) WHERE expires_at IS NOT NULL;

-- Of each journal the first record that is kept, and how many were ever appended.
CREATE TABLE journals (
  id INTEGER PRIMARY KEY,
  birth INTEGER NOT NULL,
  name BLOB NOT NULL,
  first INTEGER NOT NULL,
  length INTEGER NOT NULL,
  UNIQUE (birth, name)
) STRICT;

CREATE TABLE records (
  journal INTEGER NOT NULL,
  number INTEGER NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (journal, number)
) STRICT, WITHOUT ROWID;
