-- Who of a shop's people pressed what a line of Activity tells, by Shopify's number. Of lines of before it is not known.
ALTER TABLE "Activity" ADD COLUMN "staffId" TEXT;
