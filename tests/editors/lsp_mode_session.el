;; What a user does in Emacs with lsp-mode, step by step; the answers are written as JSON to the file in $ANSWERS.
;; Run with: emacs --batch -q -l CONFIGURATION -f package-initialize -l lsp-mode FILE -l lsp_mode_session.el

(load (expand-file-name "emacs_steps.el" (file-name-directory load-file-name)) nil t)

(defun findings ()
  (mapcar (lambda (found)
            (vector (1+ (gethash "line" (gethash "start" (gethash "range" found)))) (gethash "code" found)))
          (gethash (buffer-file-name) (lsp-diagnostics))))

(defun session ()
  (answer 'version emacs-version)
  (setq lsp-enable-snippet nil)
  (lsp-workspace-folders-add default-directory)
  (lsp)
  (wait-for "findings" #'findings)
  (answer 'findings (vconcat (findings)))

  (place "use_off_line" 2)
  (let ((told (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
    (answer 'hover (gethash "value" (gethash "contents" told))))

  (place "precison_mode" 2)
  (let* ((actions (append (lsp-code-actions-at-point) nil))
         (rename (seq-find (lambda (each) (string-match-p "precision_mode" (gethash "title" each))) actions)))
    (lsp-execute-code-action rename))
  (answer 'fixed (buffer-substring-no-properties (point-min) (point-max)))

  (goto-char (point-max))
  (insert "custom_op.parameter_map[\"graph_r")
  (let* ((offer (lsp-completion-at-point))
         (typed (buffer-substring-no-properties (nth 0 offer) (nth 1 offer)))
         (labels (all-completions typed (nth 2 offer) (plist-get (nthcdr 3 offer) :predicate)))
         (chosen (car labels)))
    (delete-region (nth 0 offer) (nth 1 offer))
    (insert chosen)
    (funcall (plist-get (nthcdr 3 offer) :exit-function) chosen 'finished))
  (answer 'completed (buffer-substring-no-properties (line-beginning-position) (line-end-position))))

(run-steps #'session)
