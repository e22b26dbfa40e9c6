-- Cities become a table of their own; customers without one stay without.
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO city (name) SELECT DISTINCT city FROM customer WHERE city IS NOT NULL;
ALTER TABLE customer ADD COLUMN city_id INTEGER REFERENCES city (id);
UPDATE customer SET city_id = (SELECT id FROM city WHERE name = customer.city);
ALTER TABLE customer DROP COLUMN city;
