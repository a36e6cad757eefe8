-- Who sent a change by hand, by Shopify's number, for the line of Activity that tells its end. Of forms of before it is not known.
ALTER TABLE "Draft" ADD COLUMN "staffId" TEXT COLLATE "C";
