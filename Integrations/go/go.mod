module flowtape

go 1.19
