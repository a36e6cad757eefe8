-- What the migrations of both databases make and Prisma's models cannot say: rows of which a shop, or the
-- database, has one at most.
CREATE UNIQUE INDEX "Connection_shop_current_key" ON "Connection"("shop") WHERE "current" = true;
CREATE UNIQUE INDEX "Job_shop_running_key" ON "Job"("shop") WHERE "state" = 'running';
CREATE UNIQUE INDEX "PostalEdition_current_key" ON "PostalEdition"("state") WHERE "state" = 'current';
