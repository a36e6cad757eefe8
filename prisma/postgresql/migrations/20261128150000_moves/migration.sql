-- Locations that are to move, or have moved: the coming address is a template of its own until the day, and a place that stands for
-- Shopify's address is kept with the details, as is the marker of the template by then. A database of before has no such location.
ALTER TABLE "Details" ADD COLUMN "held" TEXT COLLATE "C";
ALTER TABLE "Details" ADD COLUMN "marker" TEXT COLLATE "C";

CREATE TABLE "Move" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C" NOT NULL,
    "connectionId" TEXT COLLATE "C" NOT NULL,
    "marker" TEXT COLLATE "C" NOT NULL,
    "place" TEXT COLLATE "C" NOT NULL,
    "hour" TEXT COLLATE "C",
    "keepFormer" BOOLEAN NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "templateId" TEXT COLLATE "C",
    "sent" TEXT COLLATE "C",
    "answered" TEXT COLLATE "C",
    "refusal" TEXT COLLATE "C",
    "press" TEXT COLLATE "C",
    "asks" TEXT COLLATE "C",
    "formerTemplateId" TEXT COLLATE "C",
    "formerDefault" BOOLEAN NOT NULL,
    "passedAtMs" BIGINT,

    CONSTRAINT "Move_pkey" PRIMARY KEY ("shop", "locationId"),
    CONSTRAINT "Move_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TRIGGER note_insert AFTER INSERT ON "Move" REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write();
CREATE TRIGGER note_update AFTER UPDATE ON "Move" REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_write();
CREATE TRIGGER note_delete AFTER DELETE ON "Move" REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_delete();
