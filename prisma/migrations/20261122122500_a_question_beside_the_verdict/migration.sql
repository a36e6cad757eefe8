-- What was asked stands beside what was said before: an open question had been the outcome itself.

-- AlterTable
ALTER TABLE "Verification" ADD COLUMN "question" TEXT;
ALTER TABLE "Verification" ADD COLUMN "questionKey" TEXT;
ALTER TABLE "Verification" ADD COLUMN "movedAtMs" BIGINT;

UPDATE "Verification" SET "question" = 'wanted', "questionKey" = "addressKey" WHERE "outcome" = 'wanted';
UPDATE "Verification" SET "question" = 'asked', "questionKey" = "addressKey"
  WHERE "outcome" IN ('pending', 'unknown') AND "nextPollAtMs" IS NOT NULL;
-- One entry of a carrier becomes a list of them.
UPDATE "Verification" SET "baseline" = '[' || "baseline" || ']' WHERE "baseline" IS NOT NULL;
UPDATE "Verification" SET "baseline" = '[]' WHERE "baseline" IS NULL AND "askedAtMs" IS NOT NULL;

-- DropIndex
DROP INDEX "Verification_outcome_nextPollAtMs_idx";

-- CreateIndex
CREATE INDEX "Verification_question_nextPollAtMs_idx" ON "Verification"("question", "nextPollAtMs");
