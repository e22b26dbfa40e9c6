-- The tables of notes.yaml.
CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  price DECIMAL(10,2) NOT NULL CHECK (price >= 0),
  done BOOLEAN NOT NULL DEFAULT 0,
  token TEXT
);
CREATE INDEX note_title ON note (title);
CREATE TRIGGER note_kept BEFORE UPDATE OF id ON note BEGIN
  SELECT raise(ABORT, 'a note keeps its number');
END;
