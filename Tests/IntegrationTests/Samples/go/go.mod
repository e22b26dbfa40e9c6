module example.com/work

go 1.19

require flowtape v0.0.0

replace flowtape => ./flowtape
