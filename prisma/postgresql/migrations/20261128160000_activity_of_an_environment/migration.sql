-- The environment of the account that was in use: each has its own activity. What is known of lines from before is which one is in use now.
ALTER TABLE "Activity" ADD COLUMN "environment" TEXT COLLATE "C" NOT NULL DEFAULT 'production';
UPDATE "Activity" SET "environment" = 'test'
  WHERE "shop" IN (SELECT "shop" FROM "Connection" WHERE "current" AND "environment" = 'test');
