import { BlockStack, Button, Card, FormLayout, Text, TextField } from "../../polaris/polaris.ts";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PlaceField } from "../../domain/address/address.ts";
import { eachField, SHORT_FIELDS, TEMPLATE_PLACE_ROWS } from "../../domain/address/form-fields.ts";
import { PLACE_FIELDS } from "../../domain/address/place.ts";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";
import { DayFields } from "./day-fields.tsx";
import type { MoveActions } from "./use-move.ts";

const ROWS = TEMPLATE_PLACE_ROWS.map((row) => row.filter((field) => field !== "country_code"));

/** The coming address, entered beforehand, and the day. */
export function PlanCard({ actions: { send, busy, answer } }: { actions: MoveActions }) {
  const { t } = useTranslation(["move", "common", "problems"]);
  const [place, setPlace] = useState(() => ({ ...eachField(PLACE_FIELDS, () => ""), country_code: "MX" }));
  const [day, setDay] = useState({ hour: "", keepFormer: true });
  const problems = answer?.intent === "plan" && answer.kind === "invalid" ? answer.problems : [];
  const problemOf = (field: PlaceField) => problems.find((problem) => problem.field === field)?.code;
  const form = useRef<HTMLFormElement>(null);
  const isPast = answer?.intent === "plan" && answer.kind === "hour";
  useFocusFirstError(form, problems.length > 0 || isPast ? answer : null);
  return (
    <Card>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send({ intent: "plan", place, hour: day.hour || null, keepFormer: day.keepFormer });
        }}
      >
        <BlockStack gap="400">
          <Text as="h2" variant="headingMd">
            {t("plan.heading")}
          </Text>
          <Text as="p">{t("plan.about")}</Text>
          <FormLayout>
            {ROWS.map((row) => (
              <FormLayout.Group key={row.join()} condensed={row.every((field) => SHORT_FIELDS.includes(field))}>
                {row.map((field) => {
                  const problem = problemOf(field);
                  return (
                    <TextField
                      key={field}
                      label={t(`common:fields.${field}`)}
                      name={field}
                      autoComplete="off"
                      value={place[field]}
                      onChange={(value) => setPlace({ ...place, [field]: value })}
                      {...(problem ? { error: t(`problems:${problem}`) } : {})}
                    />
                  );
                })}
              </FormLayout.Group>
            ))}
          </FormLayout>
          <DayFields day={day} onDay={setDay} error={isPast ? t("answer.hour") : undefined} />
          <div>
            <Button submit variant="primary" loading={busy === "plan"}>
              {t("plan.submit")}
            </Button>
          </div>
        </BlockStack>
      </form>
    </Card>
  );
}
