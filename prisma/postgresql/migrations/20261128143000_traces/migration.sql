-- In whose trace a work item was asked for last, as a `traceparent`; null where nobody traces.
ALTER TABLE "Target" ADD COLUMN "traceparent" TEXT COLLATE "C";
