-- A list of postal codes that an operator imports (docs/postal-codes.md), and what it said of a location's code when its address came.
ALTER TABLE "Location" ADD COLUMN "postal" TEXT COLLATE "C";

CREATE TABLE "PostalEdition" (
    "number" INTEGER NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "importedAtMs" BIGINT NOT NULL,
    "codes" INTEGER NOT NULL,
    "settlements" INTEGER NOT NULL,

    CONSTRAINT "PostalEdition_pkey" PRIMARY KEY ("number")
);

CREATE TABLE "PostalCode" (
    "edition" INTEGER NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C",
    "municipality" TEXT COLLATE "C",
    "city" TEXT COLLATE "C",
    "settlements" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PostalCode_pkey" PRIMARY KEY ("edition", "code"),
    CONSTRAINT "PostalCode_edition_fkey" FOREIGN KEY ("edition") REFERENCES "PostalEdition" ("number") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "PostalEdition_current_key" ON "PostalEdition"("state") WHERE "state" = 'current';
