-- CreateTable
CREATE TABLE "Shop" (
    "shop" TEXT NOT NULL PRIMARY KEY,
    "displayName" TEXT,
    "timeZone" TEXT NOT NULL,
    "language" TEXT,
    "policies" TEXT NOT NULL,
    "contact" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "guideDismissedAtMs" BIGINT,
    "reconciledAtMs" BIGINT,
    "installedAtMs" BIGINT NOT NULL,
    "uninstalledAtMs" BIGINT
);

-- CreateTable
CREATE TABLE "Connection" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientSecret" TEXT,
    "scope" TEXT,
    "redirectUri" TEXT,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "current" BOOLEAN NOT NULL,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "tokenScope" TEXT,
    "tokenObtainedAtMs" BIGINT,
    "tokenExpiresAtMs" BIGINT,
    "failures" INTEGER NOT NULL,
    "backoffUntilMs" BIGINT,
    "lastFaultKind" TEXT,
    "lastFaultAtMs" BIGINT,
    "lastFaultMessage" TEXT,
    "lastSuccessAtMs" BIGINT,
    "bookReadAtMs" BIGINT,
    "createdAtMs" BIGINT NOT NULL,
    CONSTRAINT "Connection_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Location" (
    "shop" TEXT NOT NULL,
    "locationId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "isFulfillmentService" BOOLEAN NOT NULL,
    "fulfillsOnlineOrders" BOOLEAN NOT NULL,
    "address" TEXT NOT NULL,
    "deletedAtMs" BIGINT,
    "readAtMs" BIGINT NOT NULL,

    PRIMARY KEY ("shop", "locationId"),
    CONSTRAINT "Location_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Details" (
    "shop" TEXT NOT NULL,
    "locationId" TEXT NOT NULL,
    "contact" TEXT NOT NULL,
    "split" TEXT,
    "inclusion" TEXT NOT NULL,
    "paused" BOOLEAN NOT NULL,
    "adoption" TEXT NOT NULL,
    "confirmedAtMs" BIGINT,
    "revision" INTEGER NOT NULL,
    "updatedAtMs" BIGINT NOT NULL,

    PRIMARY KEY ("shop", "locationId"),
    CONSTRAINT "Details_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Link" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "locationId" TEXT NOT NULL,
    "templateId" TEXT NOT NULL,
    "how" TEXT NOT NULL,
    "sent" TEXT,
    "answered" TEXT,
    "differences" TEXT NOT NULL,
    "choices" TEXT NOT NULL,
    "accepted" TEXT NOT NULL,
    "sendWhole" BOOLEAN NOT NULL,
    "missingSinceMs" BIGINT,
    "syncedAtMs" BIGINT,
    "checkedAtMs" BIGINT,
    CONSTRAINT "Link_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Template" (
    "shop" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "templateId" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "readAtMs" BIGINT NOT NULL,

    PRIMARY KEY ("connectionId", "templateId"),
    CONSTRAINT "Template_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Verification" (
    "shop" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "templateId" TEXT NOT NULL,
    "carrier" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "status" TEXT,
    "updateState" TEXT,
    "verificationId" TEXT,
    "baseline" TEXT,
    "askedAtMs" BIGINT,
    "changedAtMs" BIGINT NOT NULL,
    "checkedAtMs" BIGINT,
    "polls" INTEGER NOT NULL,
    "nextPollAtMs" BIGINT,
    "addressKey" TEXT,
    "timeline" TEXT NOT NULL,

    PRIMARY KEY ("connectionId", "templateId", "carrier"),
    CONSTRAINT "Verification_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Target" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "wanted" INTEGER NOT NULL,
    "seen" INTEGER NOT NULL,
    "dueAtMs" BIGINT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntilMs" BIGINT,
    "fence" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "createdAtMs" BIGINT NOT NULL,
    "updatedAtMs" BIGINT NOT NULL,
    CONSTRAINT "Target_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Intent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "connectionVersion" INTEGER NOT NULL,
    "targetId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "templateId" TEXT,
    "locationId" TEXT,
    "marker" TEXT,
    "payload" TEXT,
    "committedAtMs" BIGINT NOT NULL,
    "quarantineUntilMs" BIGINT NOT NULL,
    CONSTRAINT "Intent_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Receipt" (
    "shop" TEXT NOT NULL,
    "webhookId" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "receivedAtMs" BIGINT NOT NULL,

    PRIMARY KEY ("shop", "webhookId"),
    CONSTRAINT "Receipt_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Draft" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "templateId" TEXT,
    "draft" TEXT,
    "base" TEXT,
    "createdAtMs" BIGINT NOT NULL,
    "endedAtMs" BIGINT,
    "outcome" TEXT,
    CONSTRAINT "Draft_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Activity" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "atMs" BIGINT NOT NULL,
    "actor" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "locationId" TEXT,
    "locationName" TEXT,
    "templateId" TEXT,
    "carrier" TEXT,
    "fields" TEXT NOT NULL,
    "requestId" TEXT,
    "outcome" TEXT NOT NULL,
    "detail" TEXT,
    CONSTRAINT "Activity_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Job" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "carriers" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "createdAtMs" BIGINT NOT NULL,
    "endedAtMs" BIGINT,
    CONSTRAINT "Job_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "JobItem" (
    "jobId" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "locationId" TEXT NOT NULL,
    "targetId" TEXT,
    "generation" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "detail" TEXT,

    PRIMARY KEY ("jobId", "locationId"),
    CONSTRAINT "JobItem_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop" ("shop") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shop" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "isOnline" BOOLEAN NOT NULL DEFAULT false,
    "scope" TEXT,
    "expires" DATETIME,
    "accessToken" TEXT NOT NULL,
    "userId" BIGINT,
    "firstName" TEXT,
    "lastName" TEXT,
    "email" TEXT,
    "accountOwner" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT,
    "collaborator" BOOLEAN DEFAULT false,
    "emailVerified" BOOLEAN DEFAULT false,
    "refreshToken" TEXT,
    "refreshTokenExpires" DATETIME
);

-- CreateTable
CREATE TABLE "KeyCanary" (
    "keyId" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Connection_shop_environment_clientId_key" ON "Connection"("shop", "environment", "clientId");

-- CreateIndex
CREATE INDEX "Link_shop_locationId_idx" ON "Link"("shop", "locationId");

-- CreateIndex
CREATE UNIQUE INDEX "Link_connectionId_locationId_key" ON "Link"("connectionId", "locationId");

-- CreateIndex
CREATE UNIQUE INDEX "Link_environment_templateId_key" ON "Link"("environment", "templateId");

-- CreateIndex
CREATE INDEX "Template_shop_idx" ON "Template"("shop");

-- CreateIndex
CREATE INDEX "Verification_shop_idx" ON "Verification"("shop");

-- CreateIndex
CREATE INDEX "Verification_outcome_nextPollAtMs_idx" ON "Verification"("outcome", "nextPollAtMs");

-- CreateIndex
CREATE INDEX "Target_state_dueAtMs_idx" ON "Target"("state", "dueAtMs");

-- CreateIndex
CREATE UNIQUE INDEX "Target_shop_kind_key_key" ON "Target"("shop", "kind", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Intent_targetId_key" ON "Intent"("targetId");

-- CreateIndex
CREATE INDEX "Intent_shop_idx" ON "Intent"("shop");

-- CreateIndex
CREATE INDEX "Receipt_receivedAtMs_idx" ON "Receipt"("receivedAtMs");

-- CreateIndex
CREATE INDEX "Draft_shop_createdAtMs_idx" ON "Draft"("shop", "createdAtMs");

-- CreateIndex
CREATE INDEX "Draft_endedAtMs_idx" ON "Draft"("endedAtMs");

-- CreateIndex
CREATE INDEX "Activity_shop_atMs_idx" ON "Activity"("shop", "atMs");

-- CreateIndex
CREATE INDEX "Activity_shop_locationId_atMs_idx" ON "Activity"("shop", "locationId", "atMs");

-- CreateIndex
CREATE INDEX "Activity_atMs_idx" ON "Activity"("atMs");

-- CreateIndex
CREATE INDEX "Job_shop_createdAtMs_idx" ON "Job"("shop", "createdAtMs");

-- CreateIndex
CREATE INDEX "JobItem_shop_idx" ON "JobItem"("shop");

-- CreateIndex
CREATE INDEX "JobItem_targetId_idx" ON "JobItem"("targetId");

-- CreateIndex
CREATE INDEX "Session_shop_idx" ON "Session"("shop");

