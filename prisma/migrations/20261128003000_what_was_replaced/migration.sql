-- What changed in a template within the last minute, which a reading that is behind still shows.
ALTER TABLE "Template" ADD COLUMN "replaced" TEXT;
