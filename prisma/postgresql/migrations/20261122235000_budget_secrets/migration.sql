-- What else all processes know together: which shop tried wrong secrets, and who renews a connection's token.
ALTER TABLE "budget"."key"
  ADD COLUMN IF NOT EXISTS "wrong_secrets" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS "wrong_at" TIMESTAMPTZ NOT NULL DEFAULT '-infinity';

-- A shop tried a wrong secret. After so long without one the count begins again.
CREATE FUNCTION "budget"."wrong_secret"(shop text, forgotten_ms integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "budget"."lock_keys"(ARRAY[shop]);
  UPDATE "budget"."key" SET
    "wrong_secrets" = CASE WHEN "wrong_at" < clock_timestamp() - forgotten_ms * interval '1 ms' THEN 1 ELSE "wrong_secrets" + 1 END,
    "wrong_at" = clock_timestamp()
  WHERE "key" = shop;
END $$;

CREATE FUNCTION "budget"."right_secret"(shop text) RETURNS void LANGUAGE sql AS $$
  UPDATE "budget"."key" SET "wrong_secrets" = 0, "wrong_at" = '-infinity' WHERE "key" = shop AND "wrong_secrets" > 0
$$;

-- How long nothing is tried for the shop: not at all for the first tries, then from `first_ms`, doubled by each, to `longest_ms`.
CREATE FUNCTION "budget"."secret_held_ms"(shop text, free_tries integer, first_ms integer, longest_ms integer)
RETURNS integer LANGUAGE sql AS $$
  SELECT coalesce(max(ceil(least(longest_ms, greatest(0, least(first_ms * 2 ^ least("wrong_secrets" - free_tries, 20), longest_ms)
    - extract(epoch FROM clock_timestamp() - "wrong_at") * 1000)))), 0)::integer
  FROM "budget"."key" WHERE "key" = shop AND "wrong_secrets" >= free_tries
$$;

-- One process at a time renews a connection's token. A claim has a number of its own, so that one that ran out is not taken for another.
CREATE UNLOGGED TABLE IF NOT EXISTS "budget"."renewal" (
    "connection" TEXT COLLATE "C" NOT NULL,
    "claim" BIGINT NOT NULL,
    "until" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "renewal_pkey" PRIMARY KEY ("connection")
);

-- Gives the claim's number, or null while another process has it. After a crash of the server nobody has one until whatever was sent
-- before has ended: a refresh token may be in such a request.
CREATE FUNCTION "budget"."claim_renewal"(id text, lease_ms integer, hold_ms integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ms constant interval := interval '1 ms';
  number bigint;
BEGIN
  IF "budget"."opens_at"(hold_ms * ms) > clock_timestamp() THEN RETURN NULL; END IF;
  INSERT INTO "budget"."renewal" AS r VALUES (id, (random() * 1e15)::bigint, clock_timestamp() + lease_ms * ms)
  ON CONFLICT ("connection") DO UPDATE SET "claim" = r."claim" + 1, "until" = excluded."until"
  WHERE r."until" <= clock_timestamp() OR r."until" > excluded."until"
  RETURNING "claim" INTO number;
  RETURN number;
END $$;

-- Keeps a claim that nobody else has had since, even one that ran out.
CREATE FUNCTION "budget"."keep_renewal"(id text, number bigint, lease_ms integer) RETURNS boolean LANGUAGE sql AS $$
  WITH kept AS (
    UPDATE "budget"."renewal" SET "until" = clock_timestamp() + lease_ms * interval '1 ms'
    WHERE "connection" = id AND "claim" = number RETURNING 1
  )
  SELECT count(*) > 0 FROM kept
$$;

CREATE FUNCTION "budget"."end_renewal"(id text, number bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE "budget"."renewal" SET "until" = '-infinity' WHERE "connection" = id AND "claim" = number
$$;

CREATE OR REPLACE FUNCTION "budget"."forget_idle"(idle_ms integer) RETURNS integer LANGUAGE sql AS $$
  WITH idle AS (
    SELECT "key" FROM "budget"."key"
    WHERE greatest("free_0", "free_1", "head_until", "paused_until", "wrong_at") < clock_timestamp() - idle_ms * interval '1 ms'
    ORDER BY "key" FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM "budget"."key" k USING idle WHERE k."key" = idle."key" RETURNING 1
  ), ended AS (
    DELETE FROM "budget"."renewal" WHERE "until" < clock_timestamp() - idle_ms * interval '1 ms'
      AND NOT EXISTS (SELECT FROM "Connection" WHERE "id" = "connection") RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$$;
