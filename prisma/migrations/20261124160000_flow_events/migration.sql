-- Which triggers of Shopify Flow a shop's workflows use, what was last seen of its origins, and what is still to be given to Flow. A database
-- of before has no workflow yet: Flow tells of each when its owner turns it on.
ALTER TABLE "Shop" ADD COLUMN "flow" TEXT NOT NULL DEFAULT '{}';

CREATE TABLE "FlowOrigin" (
    "shop" TEXT NOT NULL,
    "locationId" TEXT NOT NULL,
    "seen" TEXT NOT NULL,

    PRIMARY KEY ("shop", "locationId"),
    CONSTRAINT "FlowOrigin_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "FlowEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" TEXT NOT NULL,
    "locationId" TEXT,
    "fields" TEXT NOT NULL,
    "atMs" BIGINT NOT NULL,
    CONSTRAINT "FlowEvent_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "FlowEvent_shop_number_idx" ON "FlowEvent"("shop", "number");
