CREATE SEQUENCE {schema}.versions;

-- Of each journal of a document its name, the first record that is kept, and how many were ever appended; a journal is known
-- by its place in these lists.
CREATE TABLE {schema}.documents (
  key bytea PRIMARY KEY,
  version bigint NOT NULL,
  birth bigint NOT NULL,
  expires_at bigint,
  names bytea[] NOT NULL,
  firsts bigint[] NOT NULL,
  lengths bigint[] NOT NULL,
  body bytea NOT NULL
);
CREATE INDEX documents_by_expiry ON {schema}.documents (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE {schema}.records (
  birth bigint NOT NULL,
  journal integer NOT NULL,
  number bigint NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (birth, journal, number)
);

-- The new version, or nothing where the document is not as expected. A version is drawn after the one that was expected, or
-- when the new document is locked, so a later write always has a greater one.
CREATE FUNCTION {schema}.replace_document(
  p_key bytea, p_expected bigint, p_body bytea, p_expires_at bigint, p_now bigint,
  p_journals bytea[], p_counts integer[], p_records bytea[], p_cut bytea[], p_below bigint[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_birth bigint;
  v_version bigint;
  v_expires_at bigint;
  v_names bytea[] := '{}';
  v_firsts bigint[] := '{}';
  v_lengths bigint[] := '{}';
  v_place integer;
  v_done integer := 0;
BEGIN
  -- Nothing but the body: one statement.
  IF p_expected IS NOT NULL AND cardinality(p_journals) = 0 AND cardinality(p_cut) = 0 THEN
    UPDATE {schema}.documents
      SET version = nextval('{schema}.versions'), expires_at = p_expires_at, body = p_body
      WHERE key = p_key AND version = p_expected AND (expires_at IS NULL OR expires_at > p_now)
      RETURNING version INTO v_version;
    RETURN v_version;
  END IF;

  IF p_expected IS NULL THEN
    LOOP
      INSERT INTO {schema}.documents (key, version, birth, names, firsts, lengths, body)
        VALUES (p_key, 0, 0, '{}', '{}', '{}', '') ON CONFLICT (key) DO NOTHING;
      EXIT WHEN FOUND;
      SELECT birth, expires_at INTO v_birth, v_expires_at FROM {schema}.documents WHERE key = p_key FOR UPDATE;
      -- Somebody has removed it since: it is made.
      CONTINUE WHEN NOT FOUND;
      IF v_expires_at IS NULL OR v_expires_at > p_now THEN RETURN NULL; END IF;
      DELETE FROM {schema}.records WHERE birth = v_birth;
      EXIT;
    END LOOP;
    v_version := nextval('{schema}.versions');
    v_birth := v_version;
  ELSE
    SELECT birth, names, firsts, lengths INTO v_birth, v_names, v_firsts, v_lengths FROM {schema}.documents
      WHERE key = p_key AND version = p_expected AND (expires_at IS NULL OR expires_at > p_now) FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    v_version := nextval('{schema}.versions');
  END IF;

  FOR i IN 1 .. cardinality(p_journals) LOOP
    v_place := array_position(v_names, p_journals[i]);
    IF v_place IS NULL THEN
      v_names := array_append(v_names, p_journals[i]);
      v_firsts := array_append(v_firsts, 0);
      v_lengths := array_append(v_lengths, 0);
      v_place := cardinality(v_names);
    END IF;
    INSERT INTO {schema}.records (birth, journal, number, record)
      SELECT v_birth, v_place, v_lengths[v_place] + place - 1, appended
      FROM unnest(p_records[v_done + 1 : v_done + p_counts[i]]) WITH ORDINALITY AS list(appended, place);
    v_lengths[v_place] := v_lengths[v_place] + p_counts[i];
    v_done := v_done + p_counts[i];
  END LOOP;

  FOR i IN 1 .. cardinality(p_cut) LOOP
    v_place := array_position(v_names, p_cut[i]);
    IF v_place IS NOT NULL AND p_below[i] > v_firsts[v_place] THEN
      v_firsts[v_place] := least(p_below[i], v_lengths[v_place]);
      DELETE FROM {schema}.records
        WHERE birth = v_birth AND journal = v_place AND number < v_firsts[v_place];
    END IF;
  END LOOP;

  UPDATE {schema}.documents
    SET version = v_version, birth = v_birth, expires_at = p_expires_at, names = v_names, firsts = v_firsts,
      lengths = v_lengths, body = p_body
    WHERE key = p_key;
  RETURN v_version;
END $$;

-- Whether the document was as expected, and is gone.
CREATE FUNCTION {schema}.delete_document(p_key bytea, p_expected bigint, p_now bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_birth bigint;
BEGIN
  DELETE FROM {schema}.documents
    WHERE key = p_key AND version = p_expected AND (expires_at IS NULL OR expires_at > p_now)
    RETURNING birth INTO v_birth;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM {schema}.records WHERE birth = v_birth;
  RETURN true;
END $$;

-- How many expired documents were removed. Each is locked before its records are looked for, so that none is left.
CREATE FUNCTION {schema}.purge_documents(p_now bigint, p_limit bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_found record;
  v_count bigint := 0;
BEGIN
  FOR v_found IN
    SELECT key, birth FROM {schema}.documents WHERE expires_at <= p_now
      ORDER BY expires_at, key LIMIT p_limit FOR UPDATE
  LOOP
    DELETE FROM {schema}.documents WHERE key = v_found.key;
    DELETE FROM {schema}.records WHERE birth = v_found.birth;
    v_count := v_count + 1;
  END LOOP;
  RETURN v_count;
END $$;
