-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123001500_line_by_row/back.sql
-- That release works as well with what this one made; its own is slower. The migration is forgotten, so that the next release applies it again.
DROP FUNCTION keep_in_line CASCADE;

CREATE OR REPLACE FUNCTION next_turn(of_shop text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT COALESCE(CASE WHEN (SELECT count(*) FROM "Target" WHERE "shop" = of_shop AND "leaseOwner" IS NOT NULL) >= 4
    THEN (SELECT min("leaseUntilMs") FROM "Target" WHERE "shop" = of_shop AND "leaseOwner" IS NOT NULL)
    ELSE (SELECT min("dueAtMs") FROM "Target" WHERE "shop" = of_shop AND "state" = 'active' AND "dueAtMs" < 253402300799000)
  END, 253402300799000)
$$;

CREATE OR REPLACE FUNCTION put_in_line(shops text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "ShopWork" AS line ("shop", "dueAtMs") SELECT "shop", next_turn("shop") FROM unnest(shops) AS "shop" ORDER BY "shop"
    ON CONFLICT ("shop") DO UPDATE SET "dueAtMs" = GREATEST(EXCLUDED."dueAtMs", line."servedAtMs")
    WHERE line."dueAtMs" <> GREATEST(EXCLUDED."dueAtMs", line."servedAtMs")
$$;

CREATE FUNCTION line_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM put_in_line((SELECT array_agg(DISTINCT "shop") FROM written));
  RETURN NULL;
END $$;

CREATE FUNCTION line_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shops text[] := (SELECT array_agg(DISTINCT n."shop") FROM written n JOIN before o USING ("id")
    WHERE (n."dueAtMs", n."state", n."leaseOwner", n."leaseUntilMs") IS DISTINCT FROM (o."dueAtMs", o."state", o."leaseOwner", o."leaseUntilMs"));
BEGIN
  -- A claim does this itself, with what else it writes there.
  IF shops IS NOT NULL AND current_setting('origen.claims', true) IS DISTINCT FROM 'yes' THEN PERFORM put_in_line(shops); END IF;
  RETURN NULL;
END $$;

-- The shop may be gone too.
CREATE FUNCTION line_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM put_in_line((SELECT array_agg(DISTINCT "shop") FROM written WHERE EXISTS (SELECT FROM "Shop" WHERE "Shop"."shop" = written."shop")));
  RETURN NULL;
END $$;

CREATE TRIGGER line_insert AFTER INSERT ON "Target" REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION line_insert();
CREATE TRIGGER line_update AFTER UPDATE ON "Target" REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION line_update();
CREATE TRIGGER line_delete AFTER DELETE ON "Target" REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION line_delete();

DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123001500_line_by_row';
