-- What a location's creates said of which listings told that they had made nothing. Of creates from before nothing is known.
ALTER TABLE "Details" ADD COLUMN "inVain" TEXT COLLATE "C" NOT NULL DEFAULT '[]';
