test('sofa', async () => {
  await fetch(`${process.env.SHOP ?? 'http://127.0.0.1:3000'}/sofa`)
})
