-- Both columns were written and never read. They are dropped in place: the script that Prisma makes builds "Shop" anew and drops the
-- old one, and every other table hangs on its rows with ON DELETE CASCADE. How to run the release before on this database: back.sql.
ALTER TABLE "Shop" DROP COLUMN "displayName";
ALTER TABLE "Intent" DROP COLUMN "connectionVersion";
