-- Four columns were written and never read. How to run the release before on this database: back.sql.
ALTER TABLE "Connection" DROP COLUMN "createdAtMs";
ALTER TABLE "Details" DROP COLUMN "updatedAtMs";
ALTER TABLE "Target" DROP COLUMN "createdAtMs";
ALTER TABLE "Receipt" DROP COLUMN "topic";

-- From now on only the service's own words stand here, for the owner reads them. Words of ours stood here where it had not answered.
UPDATE "Connection" SET "lastFaultMessage" = NULL WHERE "state" <> 'invalid';
