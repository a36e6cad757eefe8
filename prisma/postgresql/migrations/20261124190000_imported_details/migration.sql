-- What a file says of a location, until the job that imports it has written it.
ALTER TABLE "JobItem" ADD COLUMN "stated" TEXT COLLATE "C";
