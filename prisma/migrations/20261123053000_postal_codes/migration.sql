-- A list of postal codes that an operator imports (docs/postal-codes.md), and what it said of a location's code when its address came.
ALTER TABLE "Location" ADD COLUMN "postal" TEXT;

CREATE TABLE "PostalEdition" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "importedAtMs" BIGINT NOT NULL,
    "codes" INTEGER NOT NULL,
    "settlements" INTEGER NOT NULL
);

CREATE TABLE "PostalCode" (
    "edition" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "state" TEXT,
    "municipality" TEXT,
    "city" TEXT,
    "settlements" TEXT NOT NULL,

    PRIMARY KEY ("edition", "code"),
    CONSTRAINT "PostalCode_edition_fkey" FOREIGN KEY ("edition") REFERENCES "PostalEdition" ("number") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "PostalEdition_current_key" ON "PostalEdition"("state") WHERE "state" = 'current';
