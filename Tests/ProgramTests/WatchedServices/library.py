"""A library with SQLAlchemy. Its second argument names a fault, or is 'sound'."""

import json, os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from sqlalchemy import ForeignKey, String, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, joinedload, mapped_column, relationship

fault = sys.argv[2]
url = os.environ["DATABASE_URL"].replace("mysql:", "mysql+pymysql:")
url = url.replace("postgres:", "postgresql+psycopg:")
engine = create_engine(
    url, isolation_level="AUTOCOMMIT" if fault == "no transaction" else "READ COMMITTED"
)


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "watched_authors"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(50))
    books: Mapped[list["Book"]] = relationship(back_populates="author")


class Book(Base):
    __tablename__ = "watched_books"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(50))
    author_id: Mapped[int] = mapped_column(ForeignKey("watched_authors.id"))
    author: Mapped[Author] = relationship(back_populates="books")


def authors(db):
    query = select(Author).order_by(Author.id).limit(20)
    if fault != "books of each author":
        query = query.options(joinedload(Author.books))
    found = db.scalars(query).unique()
    return [{"name": author.name, "books": len(author.books)} for author in found]


def books(db):
    query = select(Book).order_by(Book.id)
    if fault != "unlimited list":
        query = query.limit(20)
    if fault != "author of each book":
        query = query.options(joinedload(Book.author))
    return [{"title": book.title, "author": book.author.name} for book in db.scalars(query)]


def create(db):
    author = Author(name="new", books=[Book(title="first"), Book(title="second")])
    db.add(author)
    db.commit()
    return {"books": 2}


def move(db, id):
    book = db.get(Book, id)
    book.author_id = 1
    if fault == "two transactions":
        db.commit()
    db.get(Author, 1).name = "moved to"
    db.commit()
    return {"moved": id}


def report(db):
    return {"books": db.scalar(select(func.count(Book.id)))}


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        parts = self.path.strip("/").split("/")
        with Session(engine) as db:
            if self.command == "POST":
                result = create(db) if parts[0] == "authors" else move(db, int(parts[1]))
            else:
                result = {"authors": authors, "books": books, "report": report}[parts[0]](db)
        body = json.dumps(result).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


own = create_engine(url)
Base.metadata.drop_all(own)
Base.metadata.create_all(own)
with Session(own) as db:
    for number in range(1, 31):
        books_of_one = [Book(title=f"book {number}{part}") for part in "ab"]
        db.add(Author(name=f"author {number}", books=books_of_one))
    db.commit()
own.dispose()
server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
