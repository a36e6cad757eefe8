-- A standby that took over may lack the last seconds of what was committed, and so does a copy that was restored: what was sent then is not in
-- any row. docs/decisions/0059-a-server-that-lacks-commits.md says what follows.
--
-- Which server the app knows, and in which of its lives: "changed_at" is when it was another one last.
CREATE TABLE "budget"."server" (
    "one" BOOLEAN NOT NULL DEFAULT true CHECK ("one"),
    "lineage" TEXT COLLATE "C" NOT NULL,
    "changed_at" TIMESTAMPTZ,
    "wait" INTERVAL NOT NULL DEFAULT '0',
    "owes_reconciles" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "server_pkey" PRIMARY KEY ("one")
);

-- A cluster has an identifier of its own, and each promotion begins another timeline. Null where the server does not say.
CREATE FUNCTION "budget"."lineage"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
  RETURN NULL;
END $$;

INSERT INTO "budget"."server" ("lineage") VALUES (COALESCE("budget"."lineage"(), ''));

CREATE FUNCTION "budget"."server_is_known"() RETURNS boolean LANGUAGE sql AS $$
  SELECT COALESCE("budget"."lineage"(), "lineage") = "lineage" FROM "budget"."server"
$$;

-- When anybody may send again; a time that only a clock set back could have written becomes the longest one from now. Nobody sends on another
-- server before a process has accepted it.
CREATE OR REPLACE FUNCTION "budget"."opens_at"(hold interval) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz;
  longest timestamptz := clock_timestamp() + hold;
  settled timestamptz;
BEGIN
  IF NOT "budget"."server_is_known"() THEN RETURN longest; END IF;
  UPDATE "budget"."server" SET "changed_at" = clock_timestamp() WHERE "changed_at" > clock_timestamp();
  settled := (SELECT COALESCE("changed_at" + "wait", '-infinity') FROM "budget"."server");
  SELECT "opens_at" INTO at FROM "budget"."epoch";
  IF at <= longest THEN RETURN greatest(at, settled); END IF;
  IF at IS NULL THEN
    INSERT INTO "budget"."epoch" ("opens_at") VALUES (longest) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE "budget"."epoch" SET "opens_at" = longest WHERE "opens_at" > longest;
  END IF;
  RETURN greatest(longest, settled);
END $$;

-- Takes this server for the one that the app works on, and doubts whatever the lost commits may have changed, all in one transaction. False
-- when it is known already. `wait_ms`: how late a write may take effect; nobody sends for so long.
CREATE FUNCTION "budget"."accept_server"(wait_ms integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint;
  until_ms bigint;
BEGIN
  -- Every shop's turn (app/adapters/store/postgresql/turns.ts).
  PERFORM pg_advisory_xact_lock(1330792775, 2);
  UPDATE "budget"."server" SET "lineage" = "budget"."lineage"(), "changed_at" = clock_timestamp(),
      "wait" = wait_ms * interval '1 ms', "owes_reconciles" = true WHERE NOT "budget"."server_is_known"();
  IF NOT FOUND THEN RETURN false; END IF;
  now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  until_ms := now_ms + wait_ms;
  -- Numbers that were given before and are not in the rows must not be given again: processes remember what they read under them.
  PERFORM nextval('revision_number') FROM generate_series(1, 100000);
  -- The same for what a run, a plan, a token or a form names. 1,000 is more than the lost seconds can have counted.
  UPDATE "Target" SET "fence" = "fence" + 1000;
  UPDATE "Shop" SET "revision" = "revision" + 1000;
  UPDATE "Details" SET "revision" = "revision" + 1000;
  -- Nothing is created before the book was read, twice, after whatever was sent has taken effect.
  UPDATE "Connection" SET "version" = "version" + 1000, "bookConfirmedAtMs" = NULL;
  UPDATE "Target" SET "leaseOwner" = NULL, "leaseUntilMs" = NULL, "dueAtMs" = now_ms WHERE "leaseUntilMs" IS NOT NULL;
  UPDATE "Intent" SET "quarantineUntilMs" = until_ms, "notedAtMs" = now_ms;
  -- A create by hand carries no marker. One that waits may have been sent: it counts as unclear, and its owner is asked.
  INSERT INTO "Intent" ("id", "shop", "connectionId", "targetId", "operation", "payload", "committedAtMs", "quarantineUntilMs", "notedAtMs")
    SELECT gen_random_uuid()::text, d."shop", d."connectionId", t."id", 'create', d."draft", now_ms, until_ms, now_ms
    FROM "Draft" d JOIN "Target" t ON t."shop" = d."shop" AND t."kind" = 'template' AND t."key" = d."id"
    WHERE d."operation" = 'create' AND d."endedAtMs" IS NULL
    ON CONFLICT DO NOTHING;
  UPDATE "Target" SET "dueAtMs" = until_ms WHERE "state" = 'active' AND "dueAtMs" > until_ms
    AND "id" IN (SELECT "targetId" FROM "Intent");
  RETURN true;
END $$;
