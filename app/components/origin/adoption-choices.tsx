import { BlockStack, Button, List, Text } from "../../polaris/polaris.ts";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContactField } from "../../domain/address/form-fields.ts";
import type { AdoptedField, Side } from "../../domain/plan/adoption-choices.ts";
import type { LinkPreview } from "../../views/origin.ts";
import { useFieldValue } from "../hooks/use-field-value.ts";
import "./adoption.css";

export interface AdoptionChoicesProps {
  /** The name of the template, for screen readers: several may stand on one page. */
  alias: string;
  differences: LinkPreview["differences"];
  contact: AdoptedField[];
  /** In a table of many: all stands in paragraphs, and the choices come at a press. */
  compact?: boolean;
  onChoose(field: ContactField, side: Side): void;
}

/**
 * What linking a template would keep of it and change in it, before anybody presses: both values of each contact field that differs, with the
 * template's chosen unless the owner has typed their own; then what changes, and what is kept without a question.
 */
export function AdoptionChoices({ alias, differences, contact, compact = false, onChoose }: AdoptionChoicesProps) {
  const { t } = useTranslation(["origin", "common", "problems"]);
  const value = useFieldValue();
  const [choosing, setChoosing] = useState(false);
  const isOpen = !compact || choosing;
  const choices = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone.
  useEffect(() => {
    if (choosing) choices.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, [choosing]);
  if (differences.length === 0 && contact.length === 0) return <Text as="p">{t("preview.same")}</Text>;
  const label = (field: string) => t(`common:fields.${field}`);
  const open = contact.filter(({ isOpen }) => isOpen);
  const changes = [...differences, ...contact.filter(({ isOpen, stays }) => !isOpen && stays === "ours")];
  const kept = contact.filter(({ isOpen, stays, problem }) => !isOpen && stays === "theirs" && problem === null);
  const faulty = contact.filter(({ problem }) => problem !== null);
  const outcome = ({ field, ours, theirs, stays: side }: AdoptedField) =>
    side === "theirs"
      ? t("preview.overOurs", { field: label(field), value: theirs, other: ours })
      : t("preview.overTheirs", { field: label(field), value: ours, other: theirs });
  const stays = kept.map(({ field, theirs }) => ({
    key: field,
    text: t("preview.fact", { field: label(field), value: value(field, theirs) }),
  }));
  const unusable = faulty.map(({ field, theirs, problem }) => ({
    key: field,
    text: t("preview.faulty", { field: label(field), value: value(field, theirs), problem: t(`problems:${problem!}`) }),
  }));
  const changed = changes.map(({ field, ours, theirs }) => ({
    key: field,
    text: t("preview.change", { field: label(field), from: value(field, theirs), to: value(field, ours) }),
  }));
  return (
    <BlockStack gap="200">
      {open.length > 0 && !isOpen && (
        <BlockStack gap="100" inlineAlign="start">
          <Text as="p" breakWord>
            {`${t("preview.stays")} ${open.map(outcome).join(" · ")}`}
          </Text>
          <Button
            variant="plain"
            onClick={() => setChoosing(true)}
            accessibilityLabel={t("preview.chooseEachNamed", { alias })}
          >
            {t("preview.chooseEach")}
          </Button>
        </BlockStack>
      )}
      {open.length > 0 && isOpen && (
        <BlockStack gap="100">
          <Text as="p">{t("preview.choose")}</Text>
          <div className="origen-adoption" ref={choices}>
            {open.map((one) => (
              <Choice key={one.field} one={one} alias={alias} onChoose={onChoose} />
            ))}
          </div>
        </BlockStack>
      )}
      {changed.length > 0 && <Told title={t("preview.changes")} lines={changed} compact={compact} />}
      {stays.length > 0 && <Told title={t("preview.keeps")} lines={stays} compact={compact} />}
      {unusable.length > 0 && <Told title={t("preview.unusable")} lines={unusable} compact={compact} />}
    </BlockStack>
  );
}

function Choice({
  one: { field, ours, theirs, stays },
  alias,
  onChoose,
}: {
  one: AdoptedField;
  alias: string;
  onChoose: AdoptionChoicesProps["onChoose"];
}) {
  const { t } = useTranslation(["origin", "common"]);
  const name = useId();
  const side = (which: Side, text: string) => (
    <label>
      <input type="radio" name={name} checked={stays === which} onChange={() => onChoose(field, which)} />
      <span>{text}</span>
    </label>
  );
  return (
    <fieldset aria-label={t("preview.choice", { field: t(`common:fields.${field}`), alias })}>
      <legend>{t(`common:fields.${field}`)}</legend>
      {side("theirs", t("preview.keepTheirs", { value: theirs }))}
      {side("ours", t("preview.putOurs", { value: ours }))}
    </fieldset>
  );
}

function Told({ title, lines, compact }: { title: string; lines: { key: string; text: string }[]; compact: boolean }) {
  if (compact) {
    return (
      <Text as="p" breakWord>
        {`${title} ${lines.map(({ text }) => text).join(" · ")}`}
      </Text>
    );
  }
  return (
    <BlockStack gap="100">
      <Text as="p">{title}</Text>
      <List>
        {lines.map(({ key, text }) => (
          <List.Item key={key}>{text}</List.Item>
        ))}
      </List>
    </BlockStack>
  );
}
