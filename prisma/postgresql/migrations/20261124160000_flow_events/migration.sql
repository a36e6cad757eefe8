-- Which triggers of Shopify Flow a shop's workflows use, what was last seen of its origins, and what is still to be given to Flow. A database
-- of before has no workflow yet: Flow tells of each when its owner turns it on.
ALTER TABLE "Shop" ADD COLUMN "flow" TEXT COLLATE "C" NOT NULL DEFAULT '{}';

CREATE TABLE "FlowOrigin" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C" NOT NULL,
    "seen" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "FlowOrigin_pkey" PRIMARY KEY ("shop", "locationId"),
    CONSTRAINT "FlowOrigin_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "FlowEvent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C",
    "fields" TEXT COLLATE "C" NOT NULL,
    "atMs" BIGINT NOT NULL,

    CONSTRAINT "FlowEvent_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "FlowEvent_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "FlowEvent_shop_number_idx" ON "FlowEvent"("shop", "number");

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['FlowOrigin', 'FlowEvent'] LOOP
    EXECUTE format('CREATE TRIGGER note_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write()', t);
    EXECUTE format('CREATE TRIGGER note_update AFTER UPDATE ON %I REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write()', t);
    EXECUTE format('CREATE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_delete()', t);
  END LOOP;
END $$;
