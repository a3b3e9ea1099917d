-- The people.
CREATE TABLE IF NOT EXISTS app.people (
--                             ^ definition.class (doc, body)
  id INTEGER PRIMARY KEY,
  -- <- definition.field in people
  name TEXT NOT NULL,
  -- <- definition.field in people
  team_id INTEGER REFERENCES teams (id)
  -- <- definition.field in people
  -- ~ type teams
);

CREATE VIEW adults AS SELECT * FROM people JOIN teams ON teams.id = people.team_id;
--          ^ definition.class (body)
-- ~ type people, type teams

CREATE INDEX people_name ON people (name);

/* Adds. */
CREATE FUNCTION add(a INTEGER, b INTEGER) RETURNS INTEGER AS $$
--              ^ definition.function (doc, body)
  SELECT a + b;
$$ LANGUAGE sql;

CREATE TYPE mood AS ENUM ('sad', 'ok');
--          ^ definition.type

INSERT INTO people (id) VALUES (add(1, 2));
-- ~ type people, call add
