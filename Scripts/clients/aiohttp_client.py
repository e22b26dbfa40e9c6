import asyncio
import os

import aiohttp


async def pieces():
    yield b"chun"
    yield b"ked"


async def show(request):
    async with request as answer:
        print(answer.status, await answer.text())


async def main():
    plain = {"Content-Type": "text/plain"}
    async with aiohttp.ClientSession(os.environ["BASE"]) as session:
        await show(session.get("/get", params={"text": "a b"}))
        await show(session.post("/json", json={"barn": 1}))
        await show(session.post("/chunked", data=pieces(), headers=plain))
        async with session.head("/get", params={"text": "a b"}) as answer:
            print(answer.status)
        async with session.get("/stream") as answer:
            lines = [line.decode().strip() async for line in answer.content]
    print(",".join(line[6:] for line in lines if line.startswith("data: ")))


asyncio.run(main())
