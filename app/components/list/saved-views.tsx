import { ActionList, Button, Popover, TextField } from "../../polaris/polaris.ts";
import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../shell/dialog.tsx";
import { useSavedViews } from "./use-saved-views.ts";

/** In which the page of the list and what opened it stand. */
const NOT_OF_A_VIEW = ["page", "id", "shop", "host", "embedded", "locale", "session", "timestamp", "hmac", "id_token"];

function viewOf(params: URLSearchParams): string {
  const own = new URLSearchParams(params);
  for (const name of NOT_OF_A_VIEW) own.delete(name);
  own.sort();
  return own.toString();
}

/** A menu of the filters that somebody saved for a list, to open one, to save the present one and to remove it. */
export function SavedViews({ list }: { list: string }) {
  const { t } = useTranslation("origins");
  const [params, setParams] = useSearchParams();
  const [open, setOpen] = useState(false);
  const [naming, setNaming] = useState(false);
  const { views, save, remove } = useSavedViews(list);
  const present = viewOf(params);
  const known = views.find(({ query }) => query === present);
  return (
    <>
      <Popover
        active={open}
        onClose={() => setOpen(false)}
        activator={
          <Button size="slim" variant="tertiary" disclosure onClick={() => setOpen(!open)}>
            {known?.name ?? t("views.heading")}
          </Button>
        }
      >
        <ActionList
          onActionAnyItem={() => setOpen(false)}
          sections={[
            {
              items: views.map((view) => ({
                content: view.name,
                active: view === known,
                onAction: () => setParams(new URLSearchParams(view.query), { replace: true, preventScrollReset: true }),
              })),
            },
            {
              items: [
                known
                  ? { content: t("views.remove", { name: known.name }), onAction: () => remove(known.name) }
                  : {
                      content: t("views.save"),
                      disabled: present === "",
                      helpText: present === "" ? t("views.first") : t("views.where"),
                      onAction: () => setNaming(true),
                    },
              ],
            },
          ]}
        />
      </Popover>
      {naming && <NameDialog onClose={() => setNaming(false)} onName={(name) => save({ name, query: present })} />}
    </>
  );
}

function NameDialog({ onClose, onName }: { onClose(): void; onName(name: string): void }) {
  const { t } = useTranslation("origins");
  const [name, setName] = useState("");
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("views.save")}
      small
      action={{
        label: t("views.keep"),
        disabled: name.trim() === "",
        onAction: () => {
          onName(name.trim());
          onClose();
        },
      }}
    >
      <TextField
        label={t("views.name")}
        helpText={t("views.where")}
        autoComplete="off"
        maxLength={40}
        value={name}
        onChange={setName}
      />
    </Dialog>
  );
}
