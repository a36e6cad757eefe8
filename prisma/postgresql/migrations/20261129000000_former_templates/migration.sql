-- Former addresses that an owner wanted to keep, of the moves before a location's last one. Of moves from before nothing is known.
ALTER TABLE "Details" ADD COLUMN "formerTemplates" TEXT COLLATE "C" NOT NULL DEFAULT '[]';
