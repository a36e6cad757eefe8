-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261124161500_refused_cheaply/back.sql
-- That release works as well with what this one made. The migration is forgotten, so that the next release applies it again.
-- One batch of a process. First slots are given back: free after so many milliseconds, unless another holder has them by now. Then, ask by
-- ask, one slot of the shop and one of the client id are taken, or none.
--
-- A slot that is free within `ahead_ms` is taken at once; `after_ms` says when it may be used. It is held for `hold_ms` from then, by when
-- whatever its holder sends has arrived a second ago. `wait_ms` says when to ask again, after `poll_ms` at the latest where nobody knows.
CREATE OR REPLACE FUNCTION "budget"."turn"(
  hold_ms integer, ahead_ms integer, poll_ms integer,
  give_keys text[], give_places integer[], give_tokens bigint[], give_rests_ms integer[], give_flows boolean[],
  shops text[], clients text[], ranks integer[], waited_ms integer[], who bigint[], connections text[], versions integer[]
) RETURNS TABLE (
  "ask" integer, "now_ms" double precision, "superseded" boolean, "wait_ms" integer, "after_ms" integer,
  "shop_place" integer, "shop_token" bigint, "client_place" integer, "client_token" bigint,
  "opens_in_ms" integer, "shop_opens_in_ms" integer, "client_opens_in_ms" integer
) LANGUAGE plpgsql AS $$
DECLARE
  ms constant interval := interval '1 ms';
  hold interval := hold_ms * ms;
  ahead interval := ahead_ms * ms;
  now timestamptz;
  opens timestamptz;
  since timestamptz;
  at timestamptz;
  s record;
  c record;
  behind_s boolean;
  behind_c boolean;
BEGIN
  PERFORM "budget"."lock_keys"(give_keys || shops || clients);
  now := clock_timestamp();

  FOR i IN 1 .. cardinality(give_keys) LOOP
    UPDATE "budget"."key" k SET
      "free_0" = CASE give_places[i] WHEN 0 THEN now + give_rests_ms[i] * ms ELSE k."free_0" END,
      "free_1" = CASE give_places[i] WHEN 1 THEN now + give_rests_ms[i] * ms ELSE k."free_1" END,
      "strikes" = CASE WHEN give_flows[i] AND k."paused_until" <= now THEN 0 ELSE k."strikes" END
    WHERE k."key" = give_keys[i] AND CASE give_places[i] WHEN 0 THEN k."token_0" ELSE k."token_1" END = give_tokens[i];
  END LOOP;
  IF cardinality(shops) = 0 THEN RETURN; END IF;

  opens := "budget"."opens_at"(hold);
  "now_ms" := extract(epoch FROM now) * 1000;
  "opens_in_ms" := ceil(greatest(0, extract(epoch FROM opens - now) * 1000));

  FOR i IN 1 .. cardinality(shops) LOOP
    "ask" := i; "superseded" := false; "wait_ms" := NULL; "after_ms" := NULL;
    "shop_place" := NULL; "shop_token" := NULL; "client_place" := NULL; "client_token" := NULL;
    "shop_opens_in_ms" := 0; "client_opens_in_ms" := 0;
    since := now - waited_ms[i] * ms;

    IF connections[i] IS NOT NULL AND NOT EXISTS (
      SELECT FROM "Connection" WHERE "id" = connections[i] AND "version" = versions[i]
    ) THEN
      "superseded" := true; RETURN NEXT; CONTINUE;
    END IF;

    SELECT * INTO s FROM "budget"."key" k WHERE k."key" = shops[i];
    SELECT * INTO c FROM "budget"."key" k WHERE k."key" = clients[i];
    IF s."key" IS NULL OR c."key" IS NULL THEN
      -- Forgotten as idle in this very moment.
      "wait_ms" := 1; RETURN NEXT; CONTINUE;
    END IF;

    "shop_opens_in_ms" := ceil(greatest(0, extract(epoch FROM greatest(s."paused_until", now) - now) * 1000));
    "client_opens_in_ms" := ceil(greatest(0, extract(epoch FROM greatest(c."paused_until", now) - now) * 1000));
    IF greatest("opens_in_ms", "shop_opens_in_ms", "client_opens_in_ms") > 0 THEN
      "wait_ms" := greatest("opens_in_ms", "shop_opens_in_ms", "client_opens_in_ms"); RETURN NEXT; CONTINUE;
    END IF;

    behind_s := s."head_until" > now AND s."head_who" <> who[i] AND (s."head_rank", s."head_since") < (ranks[i], since);
    behind_c := c."head_until" > now AND c."head_who" <> who[i] AND (c."head_rank", c."head_since") < (ranks[i], since);
    -- Behind a head, only the slot that the head does not need.
    "shop_place" := CASE WHEN (s."free_0" <= s."free_1") = behind_s THEN 1 ELSE 0 END;
    "client_place" := CASE WHEN (c."free_0" <= c."free_1") = behind_c THEN 1 ELSE 0 END;
    at := greatest(
      now,
      CASE "shop_place" WHEN 0 THEN s."free_0" ELSE s."free_1" END,
      CASE "client_place" WHEN 0 THEN c."free_0" ELSE c."free_1" END
    );

    IF at <= now + ahead THEN
      "after_ms" := ceil(extract(epoch FROM at - now) * 1000);
      "shop_token" := CASE "shop_place" WHEN 0 THEN s."token_0" ELSE s."token_1" END + 1;
      "client_token" := CASE "client_place" WHEN 0 THEN c."token_0" ELSE c."token_1" END + 1;
      UPDATE "budget"."key" k SET
        "free_0" = CASE "shop_place" WHEN 0 THEN at + hold ELSE k."free_0" END,
        "free_1" = CASE "shop_place" WHEN 1 THEN at + hold ELSE k."free_1" END,
        "token_0" = CASE "shop_place" WHEN 0 THEN "shop_token" ELSE k."token_0" END,
        "token_1" = CASE "shop_place" WHEN 1 THEN "shop_token" ELSE k."token_1" END,
        "head_until" = CASE WHEN k."head_who" = who[i] THEN '-infinity' ELSE k."head_until" END
      WHERE k."key" = shops[i];
      UPDATE "budget"."key" k SET
        "free_0" = CASE "client_place" WHEN 0 THEN at + hold ELSE k."free_0" END,
        "free_1" = CASE "client_place" WHEN 1 THEN at + hold ELSE k."free_1" END,
        "token_0" = CASE "client_place" WHEN 0 THEN "client_token" ELSE k."token_0" END,
        "token_1" = CASE "client_place" WHEN 1 THEN "client_token" ELSE k."token_1" END,
        "head_until" = CASE WHEN k."head_who" = who[i] THEN '-infinity' ELSE k."head_until" END
      WHERE k."key" = clients[i];
      RETURN NEXT; CONTINUE;
    END IF;

    IF at > now + hold + ahead THEN
      -- Only a clock set back could have written that.
      UPDATE "budget"."key" k SET "free_0" = least(k."free_0", now + hold), "free_1" = least(k."free_1", now + hold)
      WHERE k."key" IN (shops[i], clients[i]);
    END IF;
    -- A slot that rests is free at a time that is known; one in use may be given back at any time.
    "wait_ms" := greatest(2, least(poll_ms, floor(extract(epoch FROM at - now - ahead / 2) * 1000)));
    UPDATE "budget"."key" k SET
      "head_who" = who[i], "head_rank" = ranks[i], "head_since" = since, "head_until" = now + ("wait_ms" + poll_ms) * ms
    WHERE (k."key" = shops[i] AND NOT behind_s) OR (k."key" = clients[i] AND NOT behind_c);
    "shop_place" := NULL; "client_place" := NULL;
    RETURN NEXT;
  END LOOP;
END $$;
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261124161500_refused_cheaply';
