-- Both are asked for by shop, connection and template at once; of an index on the shop alone SQLite made a walk through all of its rows.

-- DropIndex
DROP INDEX "Template_shop_idx";

-- DropIndex
DROP INDEX "Verification_shop_idx";

-- CreateIndex
CREATE INDEX "Template_shop_connectionId_templateId_idx" ON "Template"("shop", "connectionId", "templateId");

-- CreateIndex
CREATE INDEX "Verification_shop_connectionId_templateId_idx" ON "Verification"("shop", "connectionId", "templateId");
