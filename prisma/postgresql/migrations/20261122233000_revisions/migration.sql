-- A number for each shop and table, changed in the very transaction that writes there, so that every process sees whether what it read of a
-- shop still holds. One sequence for all: a number never comes back, also when the shop does.
CREATE SEQUENCE "revision_number";
CREATE TABLE "Revision" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "table" TEXT COLLATE "C" NOT NULL,
    "number" BIGINT NOT NULL,

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("shop", "table")
) WITH (fillfactor = 50);

CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Revision" ("shop", "table", "number")
    SELECT "shop", TG_TABLE_NAME, nextval('revision_number') FROM (SELECT DISTINCT "shop" FROM written ORDER BY "shop") AS shops
    ON CONFLICT ("shop", "table") DO UPDATE SET "number" = EXCLUDED."number";
  RETURN NULL;
END $$;

-- Rows that go with their shop come after it, and nothing is to stay of it.
CREATE FUNCTION note_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Revision" SET "number" = nextval('revision_number')
    WHERE "table" = TG_TABLE_NAME AND "shop" IN (SELECT "shop" FROM written);
  RETURN NULL;
END $$;

CREATE FUNCTION note_erase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "Revision" USING written WHERE "Revision"."shop" = written."shop";
  RETURN NULL;
END $$;

-- A shop that is gone, or not there yet, may have had sessions.
CREATE FUNCTION note_last_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "Revision" USING written WHERE "Revision"."shop" = written."shop"
    AND NOT EXISTS (SELECT 1 FROM "Shop" WHERE "Shop"."shop" = written."shop")
    AND NOT EXISTS (SELECT 1 FROM "Session" WHERE "Session"."shop" = written."shop");
  RETURN NULL;
END $$;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['Shop', 'Connection', 'Location', 'Details', 'Link', 'Template', 'Verification', 'Target', 'Intent', 'Receipt',
    'Draft', 'Activity', 'Job', 'JobItem', 'Session'] LOOP
    EXECUTE format('CREATE TRIGGER note_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write()', t);
    EXECUTE format('CREATE TRIGGER note_update AFTER UPDATE ON %I REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write()', t);
    IF t NOT IN ('Shop', 'Session') THEN
      EXECUTE format('CREATE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_delete()', t);
    END IF;
  END LOOP;
END $$;
CREATE TRIGGER note_erase AFTER DELETE ON "Shop" REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_erase();
CREATE TRIGGER note_delete AFTER DELETE ON "Session" REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write();
CREATE TRIGGER note_last_session AFTER DELETE ON "Session" REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_last_session();

-- What was there before has a number too.
INSERT INTO "Revision" ("shop", "table", "number") SELECT "shop", 'Shop', nextval('revision_number') FROM "Shop";
INSERT INTO "Revision" ("shop", "table", "number") SELECT DISTINCT "shop", 'Session', 0 FROM "Session";
