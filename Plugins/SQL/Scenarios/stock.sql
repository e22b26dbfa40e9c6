-- Without InnoDB no statement could be undone.
DROP TABLE IF EXISTS flow_stock;
CREATE TABLE flow_stock (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(40) NOT NULL UNIQUE,
  price DECIMAL(10, 2) NOT NULL CHECK (price > 0),
  tags JSON,
  placed TIMESTAMP NULL,
  picture BLOB,
  token VARCHAR(100)
) ENGINE = InnoDB;
INSERT INTO flow_stock (title, price) VALUES ('Rake', 9.90);
