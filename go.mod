module chancery

go 1.26
