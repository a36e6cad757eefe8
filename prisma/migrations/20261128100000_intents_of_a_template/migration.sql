-- Each write asks for unclear writes of other shops to the same template.
CREATE INDEX "Intent_templateId_idx" ON "Intent"("templateId");
