-- CreateTable
CREATE TABLE "Shop" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "timeZone" TEXT COLLATE "C" NOT NULL,
    "language" TEXT COLLATE "C",
    "policies" TEXT COLLATE "C" NOT NULL,
    "contact" TEXT COLLATE "C" NOT NULL,
    "revision" INTEGER NOT NULL,
    "guideDismissedAtMs" BIGINT,
    "reconciledAtMs" BIGINT,
    "installedAtMs" BIGINT NOT NULL,
    "uninstalledAtMs" BIGINT,
    "access" TEXT COLLATE "C" NOT NULL DEFAULT 'open',
    "accessSinceMs" BIGINT,
    "refusedAtMs" BIGINT,
    "uninstallToldAtMs" BIGINT,
    "forgetDueAtMs" BIGINT,
    "redactToldAtMs" BIGINT,
    "redactDecision" TEXT COLLATE "C",

    CONSTRAINT "Shop_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "Connection" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "environment" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "clientSecret" TEXT COLLATE "C",
    "scope" TEXT COLLATE "C",
    "redirectUri" TEXT COLLATE "C",
    "version" INTEGER NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "current" BOOLEAN NOT NULL,
    "accessToken" TEXT COLLATE "C",
    "refreshToken" TEXT COLLATE "C",
    "tokenScope" TEXT COLLATE "C",
    "tokenObtainedAtMs" BIGINT,
    "tokenExpiresAtMs" BIGINT,
    "failures" INTEGER NOT NULL,
    "backoffUntilMs" BIGINT,
    "lastFaultKind" TEXT COLLATE "C",
    "lastFaultAtMs" BIGINT,
    "lastFaultMessage" TEXT COLLATE "C",
    "lastSuccessAtMs" BIGINT,
    "bookReadAtMs" BIGINT,
    "createdAtMs" BIGINT NOT NULL,
    "bookUnreadable" TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    "suspects" TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    "bookConfirmedAtMs" BIGINT,
    "aliasLimit" INTEGER,
    "readings" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Location" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "isFulfillmentService" BOOLEAN NOT NULL,
    "fulfillsOnlineOrders" BOOLEAN NOT NULL,
    "address" TEXT COLLATE "C" NOT NULL,
    "deletedAtMs" BIGINT,
    "readAtMs" BIGINT NOT NULL,

    CONSTRAINT "Location_pkey" PRIMARY KEY ("shop","locationId")
);

-- CreateTable
CREATE TABLE "Details" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C" NOT NULL,
    "contact" TEXT COLLATE "C" NOT NULL,
    "split" TEXT COLLATE "C",
    "inclusion" TEXT COLLATE "C" NOT NULL,
    "paused" BOOLEAN NOT NULL,
    "adoption" TEXT COLLATE "C" NOT NULL,
    "confirmedAtMs" BIGINT,
    "revision" INTEGER NOT NULL,
    "updatedAtMs" BIGINT NOT NULL,

    CONSTRAINT "Details_pkey" PRIMARY KEY ("shop","locationId")
);

-- CreateTable
CREATE TABLE "Link" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "connectionId" TEXT COLLATE "C" NOT NULL,
    "environment" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C" NOT NULL,
    "templateId" TEXT COLLATE "C" NOT NULL,
    "how" TEXT COLLATE "C" NOT NULL,
    "sent" TEXT COLLATE "C",
    "answered" TEXT COLLATE "C",
    "differences" TEXT COLLATE "C" NOT NULL,
    "choices" TEXT COLLATE "C" NOT NULL,
    "accepted" TEXT COLLATE "C" NOT NULL,
    "sendWhole" BOOLEAN NOT NULL,
    "missingSinceMs" BIGINT,
    "syncedAtMs" BIGINT,
    "checkedAtMs" BIGINT,

    CONSTRAINT "Link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Template" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "connectionId" TEXT COLLATE "C" NOT NULL,
    "templateId" TEXT COLLATE "C" NOT NULL,
    "template" TEXT COLLATE "C" NOT NULL,
    "readAtMs" BIGINT NOT NULL,
    "absentSinceMs" BIGINT,
    "unlistedSinceMs" BIGINT,
    "reading" INTEGER NOT NULL DEFAULT 0,
    "aloneAtMs" BIGINT,
    "disputedSinceMs" BIGINT,
    "emptied" TEXT COLLATE "C",

    CONSTRAINT "Template_pkey" PRIMARY KEY ("connectionId","templateId")
);

-- CreateTable
CREATE TABLE "Verification" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "connectionId" TEXT COLLATE "C" NOT NULL,
    "templateId" TEXT COLLATE "C" NOT NULL,
    "carrier" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C",
    "updateState" TEXT COLLATE "C",
    "verificationId" TEXT COLLATE "C",
    "baseline" TEXT COLLATE "C",
    "askedAtMs" BIGINT,
    "changedAtMs" BIGINT NOT NULL,
    "checkedAtMs" BIGINT,
    "polls" INTEGER NOT NULL,
    "nextPollAtMs" BIGINT,
    "addressKey" TEXT COLLATE "C",
    "timeline" TEXT COLLATE "C" NOT NULL,
    "question" TEXT COLLATE "C",
    "questionKey" TEXT COLLATE "C",
    "movedAtMs" BIGINT,

    CONSTRAINT "Verification_pkey" PRIMARY KEY ("connectionId","templateId","carrier")
);

-- CreateTable
CREATE TABLE "Target" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "wanted" INTEGER NOT NULL,
    "seen" INTEGER NOT NULL,
    "dueAtMs" BIGINT NOT NULL,
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntilMs" BIGINT,
    "fence" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C",
    "createdAtMs" BIGINT NOT NULL,
    "updatedAtMs" BIGINT NOT NULL,
    "failingSinceMs" BIGINT,
    "pendingSinceMs" BIGINT,

    CONSTRAINT "Target_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Intent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "connectionId" TEXT COLLATE "C" NOT NULL,
    "targetId" TEXT COLLATE "C" NOT NULL,
    "operation" TEXT COLLATE "C" NOT NULL,
    "templateId" TEXT COLLATE "C",
    "locationId" TEXT COLLATE "C",
    "marker" TEXT COLLATE "C",
    "payload" TEXT COLLATE "C",
    "committedAtMs" BIGINT NOT NULL,
    "quarantineUntilMs" BIGINT NOT NULL,
    "notedAtMs" BIGINT,
    "alike" TEXT COLLATE "C" NOT NULL DEFAULT '[]',

    CONSTRAINT "Intent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Receipt" (
    "shop" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "topic" TEXT COLLATE "C" NOT NULL,
    "receivedAtMs" BIGINT NOT NULL,

    CONSTRAINT "Receipt_pkey" PRIMARY KEY ("shop","webhookId")
);

-- CreateTable
CREATE TABLE "Draft" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "connectionId" TEXT COLLATE "C" NOT NULL,
    "operation" TEXT COLLATE "C" NOT NULL,
    "templateId" TEXT COLLATE "C",
    "draft" TEXT COLLATE "C",
    "base" TEXT COLLATE "C",
    "createdAtMs" BIGINT NOT NULL,
    "endedAtMs" BIGINT,
    "outcome" TEXT COLLATE "C",

    CONSTRAINT "Draft_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Activity" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "atMs" BIGINT NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C",
    "locationName" TEXT COLLATE "C",
    "templateId" TEXT COLLATE "C",
    "carrier" TEXT COLLATE "C",
    "fields" TEXT COLLATE "C" NOT NULL,
    "requestId" TEXT COLLATE "C",
    "outcome" TEXT COLLATE "C" NOT NULL,
    "detail" TEXT COLLATE "C",

    CONSTRAINT "Activity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Job" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "carriers" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "createdAtMs" BIGINT NOT NULL,
    "endedAtMs" BIGINT,

    CONSTRAINT "Job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "JobItem" (
    "jobId" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "locationId" TEXT COLLATE "C" NOT NULL,
    "targetId" TEXT COLLATE "C",
    "generation" INTEGER NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "detail" TEXT COLLATE "C",
    "since" INTEGER NOT NULL DEFAULT 0,
    "confirmed" TEXT COLLATE "C",

    CONSTRAINT "JobItem_pkey" PRIMARY KEY ("jobId","locationId")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT COLLATE "C" NOT NULL,
    "shop" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "isOnline" BOOLEAN NOT NULL DEFAULT false,
    "scope" TEXT COLLATE "C",
    "expires" TIMESTAMP(3),
    "accessToken" TEXT COLLATE "C" NOT NULL,
    "userId" BIGINT,
    "firstName" TEXT COLLATE "C",
    "lastName" TEXT COLLATE "C",
    "email" TEXT COLLATE "C",
    "accountOwner" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT COLLATE "C",
    "collaborator" BOOLEAN DEFAULT false,
    "emailVerified" BOOLEAN DEFAULT false,
    "refreshToken" TEXT COLLATE "C",
    "refreshTokenExpires" TIMESTAMP(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "KeyCanary" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "KeyCanary_pkey" PRIMARY KEY ("keyId")
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
CREATE INDEX "Template_shop_connectionId_templateId_idx" ON "Template"("shop", "connectionId", "templateId");

-- CreateIndex
CREATE INDEX "Verification_shop_connectionId_templateId_idx" ON "Verification"("shop", "connectionId", "templateId");

-- CreateIndex
CREATE INDEX "Verification_question_nextPollAtMs_idx" ON "Verification"("question", "nextPollAtMs");

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

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Location" ADD CONSTRAINT "Location_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Details" ADD CONSTRAINT "Details_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Link" ADD CONSTRAINT "Link_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Template" ADD CONSTRAINT "Template_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Verification" ADD CONSTRAINT "Verification_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Target" ADD CONSTRAINT "Target_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Draft" ADD CONSTRAINT "Draft_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Activity" ADD CONSTRAINT "Activity_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "JobItem" ADD CONSTRAINT "JobItem_shop_fkey" FOREIGN KEY ("shop") REFERENCES "Shop"("shop") ON DELETE CASCADE ON UPDATE CASCADE;

