-- What the migrations make for PostgreSQL alone.

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
    'Draft', 'Activity', 'Job', 'JobItem', 'Move', 'FlowOrigin', 'FlowEvent', 'Session'] LOOP
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

-- A shop's place in the line for the worker, of all processes. `dueAtMs`: since when it waits, or when it will: its earliest work item's
-- time, but never before it was served last, so that shops with much to do take turns. A hint: a work item's own lease and fence decide.
CREATE TABLE "ShopWork" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "dueAtMs" BIGINT NOT NULL,
    "servedAtMs" BIGINT NOT NULL DEFAULT 0,
    "servedBy" TEXT COLLATE "C",

    CONSTRAINT "ShopWork_pkey" PRIMARY KEY ("shop"),
    CONSTRAINT "ShopWork_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "ShopWork_dueAtMs_idx" ON "ShopWork"("dueAtMs");
-- Shops that nothing was left of when they were served last.
CREATE INDEX "ShopWork_fresh_idx" ON "ShopWork"("dueAtMs") WHERE "dueAtMs" > "servedAtMs";
CREATE INDEX "Target_waiting_idx" ON "Target"("shop", "dueAtMs") WHERE "state" = 'active' AND "dueAtMs" < 253402300799000;
CREATE INDEX "Target_leased_idx" ON "Target"("shop", "leaseUntilMs") WHERE "leaseOwner" IS NOT NULL;

-- When the shop has something to do next. A shop that has as many runs as it may waits for the first of them, or for its lease's end.
CREATE FUNCTION next_turn(of_shop text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM "Target" WHERE "shop" = of_shop AND "leaseOwner" IS NOT NULL) >= 4 THEN
    RETURN (SELECT min("leaseUntilMs") FROM "Target" WHERE "shop" = of_shop AND "leaseOwner" IS NOT NULL);
  END IF;
  RETURN COALESCE(
    (SELECT min("dueAtMs") FROM "Target" WHERE "shop" = of_shop AND "state" = 'active' AND "dueAtMs" < 253402300799000), 253402300799000);
END $$;

CREATE FUNCTION put_in_line(shops text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF shops IS NULL OR shops = '{}' THEN RETURN; END IF;
  INSERT INTO "ShopWork" AS line ("shop", "dueAtMs") SELECT "shop", next_turn("shop") FROM unnest(shops) AS "shop" ORDER BY "shop"
    ON CONFLICT ("shop") DO UPDATE SET "dueAtMs" = GREATEST(EXCLUDED."dueAtMs", line."servedAtMs")
    WHERE line."dueAtMs" <> GREATEST(EXCLUDED."dueAtMs", line."servedAtMs");
END $$;

-- Row by row, for the condition of a trigger costs next to nothing where no due time, state or lease changed. An erased shop has no place any
-- more, and a claim does this itself, with what else it writes there.
CREATE FUNCTION keep_in_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_shop text := CASE WHEN TG_OP = 'DELETE' THEN OLD."shop" ELSE NEW."shop" END;
  turn_ms bigint;
BEGIN
  IF current_setting('origen.claims', true) = 'yes' THEN RETURN NULL; END IF;
  turn_ms := next_turn(of_shop);
  UPDATE "ShopWork" SET "dueAtMs" = GREATEST(turn_ms, "servedAtMs")
    WHERE "shop" = of_shop AND "dueAtMs" <> GREATEST(turn_ms, "servedAtMs");
  IF NOT FOUND AND TG_OP = 'INSERT' THEN
    INSERT INTO "ShopWork" ("shop", "dueAtMs") VALUES (of_shop, turn_ms) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER keep_in_line AFTER INSERT OR DELETE ON "Target" FOR EACH ROW EXECUTE FUNCTION keep_in_line();
CREATE TRIGGER keep_in_line_changed AFTER UPDATE ON "Target" FOR EACH ROW
  WHEN ((OLD."dueAtMs", OLD."state", OLD."leaseOwner", OLD."leaseUntilMs") IS DISTINCT FROM (NEW."dueAtMs", NEW."state", NEW."leaseOwner", NEW."leaseUntilMs"))
  EXECUTE FUNCTION keep_in_line();

-- Locks the next shops in line that nobody is at work on: half of them those that have waited longest, half those that came last of the ones
-- of which nothing was left, so that a single change does not wait behind all that a long outage put off. A shop's transactions hold the
-- same lock, and so does one of every shop (app/adapters/store/postgresql/turns.ts). A shop is left to whoever served it last, who knows what
-- two readings of its address book prove, until it has waited for half a second.
CREATE FUNCTION take_turns(me text, at_ms bigint, most int, latest_first boolean) RETURNS text[] LANGUAGE sql AS $$
  WITH latest AS MATERIALIZED (
    SELECT "shop", "dueAtMs" FROM "ShopWork" WHERE "dueAtMs" <= at_ms AND "dueAtMs" > "servedAtMs"
      AND ("servedBy" IS NULL OR "servedBy" = me OR "dueAtMs" <= at_ms - 500)
      ORDER BY "dueAtMs" DESC LIMIT (most + 1) / 2 FOR NO KEY UPDATE SKIP LOCKED),
  longest AS MATERIALIZED (
    SELECT "shop", "dueAtMs" FROM "ShopWork" WHERE "dueAtMs" <= at_ms
      AND ("servedBy" IS NULL OR "servedBy" = me OR "dueAtMs" <= at_ms - 500)
      ORDER BY "dueAtMs" LIMIT most FOR NO KEY UPDATE SKIP LOCKED),
  places AS (
    SELECT "shop", 2 * row_number() OVER (ORDER BY "dueAtMs" DESC) - latest_first::int AS place FROM latest
    UNION ALL SELECT "shop", 2 * row_number() OVER (ORDER BY "dueAtMs") - (NOT latest_first)::int FROM longest),
  next AS MATERIALIZED (SELECT "shop", min(place) AS place FROM places GROUP BY "shop")
  SELECT array_agg("shop" ORDER BY place) FROM next WHERE pg_try_advisory_xact_lock(hashtextextended("shop", 0))
$$;

-- Leases up to `room` work items that are due, of each shop up to four with those that are leased already, the first of each shop before
-- the second of any. One short transaction.
CREATE FUNCTION claim_work(me text, at_ms bigint, lease_ms bigint, room int, latest_first boolean) RETURNS SETOF "Target" LANGUAGE plpgsql AS $$
DECLARE
  shops text[];
  ids text[];
BEGIN
  IF room <= 0 OR NOT pg_try_advisory_xact_lock_shared(1330792775, 2) THEN RETURN; END IF;
  shops := take_turns(me, at_ms, room, latest_first);
  IF shops IS NULL THEN RETURN; END IF;
  -- A statement of its own: it sees what was committed before the locks were taken.
  ids := ARRAY(
    SELECT due."id" FROM unnest(shops) WITH ORDINALITY AS turn("shop", place) CROSS JOIN LATERAL (
      SELECT "id", row_number() OVER (ORDER BY "dueAtMs", "id") AS place FROM "Target"
        WHERE "shop" = turn."shop" AND "state" = 'active' AND "dueAtMs" <= at_ms AND "dueAtMs" < 253402300799000
          AND ("leaseUntilMs" IS NULL OR "leaseUntilMs" <= at_ms)
        ORDER BY "dueAtMs", "id"
        LIMIT GREATEST(0, 4 - (SELECT count(*) FROM "Target" WHERE "shop" = turn."shop" AND "leaseOwner" IS NOT NULL AND "leaseUntilMs" > at_ms))
    ) AS due ORDER BY due.place, turn.place LIMIT room);
  PERFORM set_config('origen.claims', 'yes', true);
  RETURN QUERY UPDATE "Target" SET "leaseOwner" = me, "leaseUntilMs" = at_ms + lease_ms, "dueAtMs" = at_ms + lease_ms,
      "fence" = "fence" + 1, "updatedAtMs" = at_ms WHERE "id" = ANY(ids) RETURNING *;
  PERFORM set_config('origen.claims', '', true);
  UPDATE "ShopWork" SET "servedAtMs" = at_ms, "servedBy" = me, "dueAtMs" = GREATEST(next_turn("shop"), at_ms)
    WHERE "shop" IN (SELECT "shop" FROM "Target" WHERE "id" = ANY(ids));
  -- The others had nothing due after all, or there was no room for them.
  PERFORM put_in_line(ARRAY(SELECT "shop" FROM unnest(shops) AS "shop" EXCEPT SELECT "shop" FROM "Target" WHERE "id" = ANY(ids)));
END $$;

-- Puts shops back in line that have waited for so long without a place in it: a person's hand took it away, or they were served when the
-- server's clock was ahead, and would wait until it is that time again. `until_ms` is half a minute ago, so two minutes later is ahead.
-- One of every shop holds all shops' turns, as for a claim: shops that it may have in hand are left for the next look.
CREATE FUNCTION mend_line(until_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  shops text[];
  lost text[];
BEGIN
  IF NOT pg_try_advisory_xact_lock_shared(1330792775, 2) THEN RETURN 0; END IF;
  shops := ARRAY(SELECT DISTINCT "shop" FROM "Target" WHERE "state" = 'active' AND "dueAtMs" <= until_ms);
  lost := ARRAY(SELECT s."shop" FROM unnest(shops) AS s("shop") LEFT JOIN "ShopWork" line USING ("shop")
    WHERE (line."shop" IS NULL OR line."dueAtMs" > until_ms) AND pg_try_advisory_xact_lock(hashtextextended(s."shop", 0)));
  UPDATE "ShopWork" SET "servedAtMs" = 0 WHERE "shop" = ANY(lost) AND "servedAtMs" > until_ms + 120000;
  PERFORM put_in_line(lost);
  RETURN (SELECT count(*) FROM "ShopWork" WHERE "shop" = ANY(lost) AND "dueAtMs" <= until_ms);
END $$;

-- When a chore that one process does for all was begun last, by the database's clock.
CREATE TABLE "Chore" (
    "name" TEXT COLLATE "C" NOT NULL,
    "begunAtMs" BIGINT NOT NULL,

    CONSTRAINT "Chore_pkey" PRIMARY KEY ("name")
);

-- When the caller began the chore, if it is to do it now; null when somebody began it later than so long ago. It tells this holder from a
-- later one. A time that is a minute ahead was written by a clock set back since.
CREATE FUNCTION take_chore(chore text, every_ms bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO "Chore" AS last ("name", "begunAtMs") VALUES (chore, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    ON CONFLICT ("name") DO UPDATE SET "begunAtMs" = EXCLUDED."begunAtMs"
    WHERE last."begunAtMs" <= EXCLUDED."begunAtMs" - every_ms OR last."begunAtMs" > EXCLUDED."begunAtMs" + 60000
    RETURNING "begunAtMs"
$$;

-- The release before, whose processes may still run, asks so.
CREATE FUNCTION begin_chore(chore text, every_ms bigint) RETURNS boolean LANGUAGE sql AS $$
  SELECT take_chore(chore, every_ms) IS NOT NULL
$$;
