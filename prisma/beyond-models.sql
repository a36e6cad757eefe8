-- What the migrations of both databases make and Prisma's models cannot say: rows of which a shop has one at most.
CREATE UNIQUE INDEX "Connection_shop_current_key" ON "Connection"("shop") WHERE "current" = true;
CREATE UNIQUE INDEX "Job_shop_running_key" ON "Job"("shop") WHERE "state" = 'running';
