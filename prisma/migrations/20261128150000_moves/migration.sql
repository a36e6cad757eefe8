-- Locations that are to move, or have moved: the coming address is a template of its own until the day, and a place that stands for
-- Shopify's address is kept with the details, as is the marker of the template by then. A database of before has no such location.
ALTER TABLE "Details" ADD COLUMN "held" TEXT;
ALTER TABLE "Details" ADD COLUMN "marker" TEXT;

CREATE TABLE "Move" (
    "shop" TEXT NOT NULL,
    "locationId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "marker" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "hour" TEXT,
    "keepFormer" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "templateId" TEXT,
    "sent" TEXT,
    "answered" TEXT,
    "refusal" TEXT,
    "press" TEXT,
    "asks" TEXT,
    "formerTemplateId" TEXT,
    "formerDefault" BOOLEAN NOT NULL,
    "passedAtMs" BIGINT,

    PRIMARY KEY ("shop", "locationId"),
    CONSTRAINT "Move_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);
