;; What a user does in Emacs with Eglot, step by step; the answers are written as JSON to the file in $ANSWERS.
;; Run with: emacs --batch -q -l CONFIGURATION -f package-initialize -l eglot FILE -l emacs_session.el

(require 'flymake)

(load (expand-file-name "emacs_steps.el" (file-name-directory load-file-name)) nil t)

;; Without a window no timer runs, so changes and checks are asked for.
(defun findings ()
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (mapcar (lambda (found)
            (vector (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found)))
          (flymake-diagnostics)))

(defun session ()
  (answer 'version emacs-version)
  ;; The hook of the page has asked for a server; it starts behind the next command, of which there is none here.
  (run-hooks 'post-command-hook)
  (wait-for "the server" #'eglot-current-server)
  (wait-for "findings" #'findings)
  (answer 'findings (vconcat (findings)))

  (place "use_off_line" 2)
  (answer 'hover
          (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                 (eglot--TextDocumentPositionParams))
                                :contents)
                     :value))

  (place "precison_mode" 2)
  (let* ((actions (eglot-code-actions (point) (point)))
         (rename (seq-find (lambda (each) (string-match-p "precision_mode" (plist-get each :title))) actions)))
    (answer 'actions (vconcat (mapcar (lambda (each) (plist-get each :title)) actions)))
    (eglot--apply-workspace-edit (plist-get rename :edit)))
  (answer 'fixed (buffer-substring-no-properties (point-min) (point-max)))
  (wait-for "the finding to go"
            (lambda () (not (seq-find (lambda (each) (string-match-p "precison" (aref each 1))) (findings)))))

  (goto-char (point-max))
  (insert "custom_op.parameter_map[\"graph_r")
  (let* ((offer (eglot-completion-at-point))
         (typed (buffer-substring-no-properties (nth 0 offer) (nth 1 offer)))
         (labels (all-completions typed (nth 2 offer) (plist-get (nthcdr 3 offer) :predicate))))
    (answer 'completion (vconcat (mapcar #'substring-no-properties labels)))
    (let ((chosen (seq-find (lambda (each) (string-prefix-p "graph_run_mode" each)) labels)))
      (delete-region (nth 0 offer) (nth 1 offer))
      (insert chosen)
      (funcall (plist-get (nthcdr 3 offer) :exit-function) chosen 'finished)))
  (answer 'completed (buffer-substring-no-properties (line-beginning-position) (line-end-position))))

;; Other files of the project: the server that runs takes them by itself.
(defun elsewhere ()
  (find-file "own.sh")
  (place "high_presicion" 2)
  (let ((change (seq-find (lambda (each) (string-prefix-p "Change to \"high_precision\"" (plist-get each :title)))
                          (eglot-code-actions (point) (point)))))
    (eglot--apply-workspace-edit (plist-get change :edit)))
  (eglot--signal-textDocument/didChange)
  (place "$NAME" 2)
  (eglot-rename "network")
  (answer 'renamed (buffer-substring-no-properties (point-min) (point-max)))
  (eglot--signal-textDocument/didChange)
  (place "--op_select_implmode" 4)
  (answer 'references
          (vconcat (mapcar (lambda (each)
                             (let ((there (xref-item-location each)))
                               (vector (file-name-nondirectory (xref-location-group there)) (xref-location-line there))))
                           (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (set-buffer-modified-p nil)
  (find-file "call.py")
  (place "precision_mode=" (length "precision_mode="))
  (answer 'signature
          (plist-get (aref (plist-get (jsonrpc-request (eglot-current-server) :textDocument/signatureHelp
                                                       (eglot--TextDocumentPositionParams))
                                      :signatures)
                           0)
                     :label)))

(run-steps (lambda () (session) (set-buffer-modified-p nil) (elsewhere)))
