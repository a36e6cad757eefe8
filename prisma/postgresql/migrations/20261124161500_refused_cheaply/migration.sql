-- The same turn with fewer statements for an ask, and none that writes where a refusal changes nothing: where many shops are busy in several
-- processes at once, most asks are refused.
--
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
  outdated boolean[];
  k record;
  behind_s boolean;
  behind_c boolean;
BEGIN
  PERFORM "budget"."lock_keys"(give_keys || shops || clients);
  now := clock_timestamp();

  FOR i IN 1 .. cardinality(give_keys) LOOP
    UPDATE "budget"."key" t SET
      "free_0" = CASE give_places[i] WHEN 0 THEN now + give_rests_ms[i] * ms ELSE t."free_0" END,
      "free_1" = CASE give_places[i] WHEN 1 THEN now + give_rests_ms[i] * ms ELSE t."free_1" END,
      "strikes" = CASE WHEN give_flows[i] AND t."paused_until" <= now THEN 0 ELSE t."strikes" END
    WHERE t."key" = give_keys[i] AND CASE give_places[i] WHEN 0 THEN t."token_0" ELSE t."token_1" END = give_tokens[i];
  END LOOP;
  IF cardinality(shops) = 0 THEN RETURN; END IF;

  opens := "budget"."opens_at"(hold);
  "now_ms" := extract(epoch FROM now) * 1000;
  "opens_in_ms" := ceil(greatest(0, extract(epoch FROM opens - now) * 1000));

  outdated := ARRAY(
    SELECT a."id" IS NOT NULL AND c."id" IS NULL FROM unnest(connections, versions) WITH ORDINALITY AS a("id", "version", "nth")
    LEFT JOIN "Connection" c ON c."id" = a."id" AND c."version" = a."version" ORDER BY a."nth"
  );

  FOR i IN 1 .. cardinality(shops) LOOP
    "ask" := i; "superseded" := false; "wait_ms" := NULL; "after_ms" := NULL;
    "shop_place" := NULL; "shop_token" := NULL; "client_place" := NULL; "client_token" := NULL;
    "shop_opens_in_ms" := 0; "client_opens_in_ms" := 0;
    since := now - waited_ms[i] * ms;

    IF outdated[i] THEN
      "superseded" := true; RETURN NEXT; CONTINUE;
    END IF;

    SELECT
      s."free_0" AS s_free_0, s."free_1" AS s_free_1, s."token_0" AS s_token_0, s."token_1" AS s_token_1,
      s."head_who" AS s_who, s."head_rank" AS s_rank, s."head_since" AS s_since, s."head_until" AS s_until, s."paused_until" AS s_paused,
      c."free_0" AS c_free_0, c."free_1" AS c_free_1, c."token_0" AS c_token_0, c."token_1" AS c_token_1,
      c."head_who" AS c_who, c."head_rank" AS c_rank, c."head_since" AS c_since, c."head_until" AS c_until, c."paused_until" AS c_paused
    INTO k FROM "budget"."key" s, "budget"."key" c WHERE s."key" = shops[i] AND c."key" = clients[i];
    IF NOT FOUND THEN
      -- Forgotten as idle in this very moment.
      "wait_ms" := 1; RETURN NEXT; CONTINUE;
    END IF;

    "shop_opens_in_ms" := ceil(greatest(0, extract(epoch FROM greatest(k.s_paused, now) - now) * 1000));
    "client_opens_in_ms" := ceil(greatest(0, extract(epoch FROM greatest(k.c_paused, now) - now) * 1000));
    IF greatest("opens_in_ms", "shop_opens_in_ms", "client_opens_in_ms") > 0 THEN
      "wait_ms" := greatest("opens_in_ms", "shop_opens_in_ms", "client_opens_in_ms"); RETURN NEXT; CONTINUE;
    END IF;

    behind_s := k.s_until > now AND k.s_who <> who[i] AND (k.s_rank, k.s_since) < (ranks[i], since);
    behind_c := k.c_until > now AND k.c_who <> who[i] AND (k.c_rank, k.c_since) < (ranks[i], since);
    -- Behind a head, only the slot that the head does not need.
    "shop_place" := CASE WHEN (k.s_free_0 <= k.s_free_1) = behind_s THEN 1 ELSE 0 END;
    "client_place" := CASE WHEN (k.c_free_0 <= k.c_free_1) = behind_c THEN 1 ELSE 0 END;
    at := greatest(
      now,
      CASE "shop_place" WHEN 0 THEN k.s_free_0 ELSE k.s_free_1 END,
      CASE "client_place" WHEN 0 THEN k.c_free_0 ELSE k.c_free_1 END
    );

    IF at <= now + ahead THEN
      "after_ms" := ceil(extract(epoch FROM at - now) * 1000);
      "shop_token" := CASE "shop_place" WHEN 0 THEN k.s_token_0 ELSE k.s_token_1 END + 1;
      "client_token" := CASE "client_place" WHEN 0 THEN k.c_token_0 ELSE k.c_token_1 END + 1;
      UPDATE "budget"."key" t SET
        "free_0" = CASE n."place" WHEN 0 THEN at + hold ELSE t."free_0" END,
        "free_1" = CASE n."place" WHEN 1 THEN at + hold ELSE t."free_1" END,
        "token_0" = CASE n."place" WHEN 0 THEN n."token" ELSE t."token_0" END,
        "token_1" = CASE n."place" WHEN 1 THEN n."token" ELSE t."token_1" END,
        "head_until" = CASE WHEN t."head_who" = who[i] THEN '-infinity' ELSE t."head_until" END
      FROM (VALUES (shops[i], "shop_place", "shop_token"), (clients[i], "client_place", "client_token")) AS n("key", "place", "token")
      WHERE t."key" = n."key";
      RETURN NEXT; CONTINUE;
    END IF;

    IF at > now + hold + ahead THEN
      -- Only a clock set back could have written that.
      UPDATE "budget"."key" t SET "free_0" = least(t."free_0", now + hold), "free_1" = least(t."free_1", now + hold)
      WHERE t."key" IN (shops[i], clients[i]);
    END IF;
    -- A slot that rests is free at a time that is known; one in use may be given back at any time.
    "wait_ms" := greatest(2, least(poll_ms, floor(extract(epoch FROM at - now - ahead / 2) * 1000)));
    IF NOT (behind_s AND behind_c) THEN
      UPDATE "budget"."key" t SET
        "head_who" = who[i], "head_rank" = ranks[i], "head_since" = since, "head_until" = now + ("wait_ms" + poll_ms) * ms
      WHERE t."key" IN (shops[i], clients[i]) AND CASE t."key" WHEN shops[i] THEN NOT behind_s ELSE NOT behind_c END;
    END IF;
    "shop_place" := NULL; "client_place" := NULL;
    RETURN NEXT;
  END LOOP;
END $$;
