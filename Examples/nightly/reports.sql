CREATE TABLE IF NOT EXISTS report (
  day TEXT NOT NULL,
  state TEXT NOT NULL,
  places INTEGER NOT NULL,
  PRIMARY KEY (day, state)
);
