-- A shop stays with the process that served it last.
ALTER TABLE "ShopWork" ADD COLUMN "servedBy" TEXT COLLATE "C";
DROP FUNCTION take_turns(bigint, int, boolean);
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

CREATE OR REPLACE FUNCTION claim_work(me text, at_ms bigint, lease_ms bigint, room int, latest_first boolean) RETURNS SETOF "Target" LANGUAGE plpgsql AS $$
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
