-- What a service does to fields that an update does not name is known of the account, and no longer of each link. How to run the release
-- before on this database: back.sql.
ALTER TABLE "Connection" ADD COLUMN "unnamed" TEXT COLLATE "C";
UPDATE "Connection" SET "unnamed" = 'emptied' WHERE "id" IN (SELECT "connectionId" FROM "Link" WHERE "sendWhole");
ALTER TABLE "Link" DROP COLUMN "sendWhole";
